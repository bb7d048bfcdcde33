import type { ChangedTest, Operation } from '../core/suite.js';
import { applyWith, type ModuleState, readModule } from './edit.js';
import { loadPython } from './parser.js';
import { type IndexedDefinition, indexOutline } from './test-index.js';

/** A test, helper or fixture that an operation created, changed or removed; the caller knows the step. */
export type ChangedDefinition = Omit<ChangedTest, 'step'>;

/** The files after all operations, or the first operation (from 0) that was refused. */
export type AppliedEdit =
  | {
      readonly kind: 'applied';
      /** Every given file and every new one, changed or not. */
      readonly files: ReadonlyMap<string, string>;
      /** Last state of each function that differs from before the edit, in the order of the operations. */
      readonly changed: readonly ChangedDefinition[];
    }
  | { readonly kind: 'refused'; readonly index: number; readonly reason: string };

/**
 * Carries out operations in order, each on the result of the one before; all of them or none.
 *
 * `files` holds the texts by path; a path without a text is a new file. Helpers and fixtures count as changed like
 * tests do, and a class is reported by its functions. Besides the refusals of a single operation, one that changes no
 * definition is refused, and one whose file is not Python.
 */
export async function applyEdit({
  files,
  operations,
}: {
  readonly files: ReadonlyMap<string, string>;
  readonly operations: readonly Operation[];
}): Promise<AppliedEdit> {
  const python = await loadPython();
  const states = new Map<string, ModuleState>();
  const changed = new Map<string, ChangedDefinition>();
  const original = new Map<string, ReadonlySet<string>>();
  for (const [index, operation] of operations.entries()) {
    const { file } = operation;
    if (!file.endsWith('.py')) {
      return { kind: 'refused', index, reason: `\`${file}\` is not a Python file.` };
    }
    const before = states.get(file) ?? readModule({ python, text: files.get(file) ?? '' });
    if (!original.has(file)) {
      original.set(file, new Set(before.outline.definitions.map(({ path }) => path)));
    }
    const applied = applyWith({ python, before, operation: withPlainName(operation) });
    if (applied.kind === 'refused') {
      return { kind: 'refused', index, reason: applied.reason };
    }
    states.set(file, applied.after);
    const differences = differencesOf({ before, after: applied.after, operation });
    if (differences.length === 0) {
      return { kind: 'refused', index, reason: 'The operation changes nothing: the definition is the same as before.' };
    }
    for (const one of differences) {
      note({ changed, one, existed: original.get(file)?.has(one.name) ?? false });
    }
  }
  const texts = [...states].map(([file, { outline }]) => [file, outline.text] as const);
  return { kind: 'applied', files: new Map([...files, ...texts]), changed: [...changed.values()] };
}

/** Records what became of a definition; one that was created and then deleted again leaves no trace. */
function note({
  changed,
  one,
  existed,
}: {
  readonly changed: Map<string, ChangedDefinition>;
  readonly one: ChangedDefinition;
  readonly existed: boolean;
}): void {
  const key = `${one.file}\n${one.name}`;
  changed.delete(key);
  if (one.op === 'delete' && !existed) {
    return;
  }
  const op = one.op === 'delete' ? 'delete' : existed ? 'update' : 'create';
  changed.set(key, { ...one, op });
}

/** Accepts a test's id in place of its qualified name: without the path in front and the parameters behind. */
function withPlainName(operation: Operation): Operation {
  if (operation.op === 'create') {
    return operation;
  }
  const prefix = `${operation.file}::`;
  const name = operation.test.startsWith(prefix) ? operation.test.slice(prefix.length) : operation.test;
  return { ...operation, test: name.replace(/\[.*$/s, '') };
}

/** The functions in which two states of a module differ. */
function differencesOf({
  before,
  after,
  operation,
}: {
  readonly before: ModuleState;
  readonly after: ModuleState;
  readonly operation: Operation;
}): ChangedDefinition[] {
  const old = functionsOf({ state: before, file: operation.file });
  const now = functionsOf({ state: after, file: operation.file });
  const base = { file: operation.file, reason: reasonOf(operation) };
  const written = [...now.values()]
    .filter(({ name, source }) => old.get(name)?.source !== source)
    .map(({ name, source }) => ({
      ...base,
      op: old.has(name) ? ('update' as const) : ('create' as const),
      name,
      source,
    }));
  const removed = [...old.values()]
    .filter(({ name }) => !now.has(name))
    .map(({ name, source }) => ({ ...base, op: 'delete' as const, name, source }));
  return [...removed, ...written];
}

/** Functions by qualified name; the last one of equal names, as Python keeps it. */
function functionsOf({
  state,
  file,
}: {
  readonly state: ModuleState;
  readonly file: string;
}): ReadonlyMap<string, IndexedDefinition> {
  const functions = indexOutline({ file, outline: state.outline }).filter(({ kind }) => kind !== 'class');
  return new Map(functions.map((definition) => [definition.name, definition]));
}

function reasonOf(operation: Operation): string {
  switch (operation.op) {
    case 'create':
      return '';
    case 'update':
      return operation.staleBecause;
    case 'delete':
      return operation.obsoleteBecause;
  }
}
