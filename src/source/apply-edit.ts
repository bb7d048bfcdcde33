import type { ChangedTest, Operation } from '../core/suite.js';
import { applyWith, readModule } from './edit.js';
import { applyTextEdits } from './lines.js';
import { type Definition, type Outline, sourceOf } from './outline.js';
import { loadPython } from './parser.js';

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
 * tests do, and a class is reported by its functions, or by its own lines when only those changed. Besides the refusals of a single operation, one that changes no
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
  const states = new Map<string, Outline>();
  const changed = new Map<string, ChangedDefinition>();
  const original = new Map<string, ReadonlySet<string>>();
  for (const [index, operation] of operations.entries()) {
    const { file } = operation;
    if (!file.endsWith('.py')) {
      const what = /\.(txt|rst|md)$/.test(file)
        ? 'is no Python file; doctests in text are not edited'
        : 'is not a Python file';
      return { kind: 'refused', index, reason: `\`${file}\` ${what}.` };
    }
    const before = states.get(file) ?? readModule({ python, text: files.get(file) ?? '' });
    if (!original.has(file)) {
      original.set(file, new Set(before.definitions.map(({ path }) => path)));
    }
    const applied = applyWith({ python, before, operation });
    if (applied.kind === 'refused') {
      return { kind: 'refused', index, reason: applied.reason };
    }
    states.set(file, applied.after);
    const { after, edited } = applied;
    const differences = differencesOf({ before, after, edited, operation });
    if (differences.length === 0) {
      return { kind: 'refused', index, reason: 'The operation changes nothing: the definition is the same as before.' };
    }
    for (const one of differences) {
      note({ changed, one, existed: original.get(file)?.has(one.name) ?? false });
    }
  }
  const texts = [...states].map(([file, { text }]) => [file, text] as const);
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

/**
 * The functions in which two states of a module differ; where they differ in none, the class or the test that the
 * operation changed all the same.
 */
function differencesOf({
  before,
  after,
  edited,
  operation,
}: {
  readonly before: Outline;
  readonly after: Outline;
  /** Definition that the operation wrote, or wrote for; null when nothing but imports changed. */
  readonly edited: string | null;
  readonly operation: Operation;
}): ChangedDefinition[] {
  const old = functionsOf(before);
  const now = functionsOf(after);
  const base = { file: operation.file, reason: reasonOf(operation) };
  const written = [...now.values()].flatMap((definition) => {
    const known = old.get(definition.path);
    if (known !== undefined && isSame({ before, known, after, definition })) return [];
    const op = known === undefined ? ('create' as const) : ('update' as const);
    return [{ ...base, op, name: definition.path, source: sourceOf({ outline: after, definition }) }];
  });
  const removed = [...old.values()]
    .filter(({ path }) => !now.has(path))
    .map((definition) => ({
      ...base,
      op: 'delete' as const,
      name: definition.path,
      source: sourceOf({ outline: before, definition }),
    }));
  if (removed.length + written.length > 0 || edited === null) return [...removed, ...written];
  // What changed stands outside of all functions: a class's own lines, or rows of a test in a constant.
  const changed = now.get(edited);
  const source =
    changed === undefined
      ? ownLinesOf({ outline: after, path: edited })
      : sourceOf({ outline: after, definition: changed });
  return [{ ...base, op: 'update', name: edited, source }];
}

/** Functions by qualified name; the last one of equal names, as Python keeps it. */
const functionsOf = ({ definitions }: Outline): ReadonlyMap<string, Definition> =>
  new Map(definitions.filter(({ type }) => type === 'function').map((definition) => [definition.path, definition]));

/** True when a function reads the same in two states; only one whose lines differ is read without its indentation. */
function isSame({
  before,
  known,
  after,
  definition,
}: {
  readonly before: Outline;
  readonly known: Definition;
  readonly after: Outline;
  readonly definition: Definition;
}): boolean {
  const isUntouched =
    known.indent === definition.indent &&
    before.text.slice(known.start, known.end) === after.text.slice(definition.start, definition.end);
  return isUntouched || sourceOf({ outline: before, definition: known }) === sourceOf({ outline: after, definition });
}

/** A class without its functions and inner classes. */
function ownLinesOf({ outline, path }: { readonly outline: Outline; readonly path: string }): string {
  const index = outline.definitions.findLastIndex((definition) => definition.path === path);
  const definition = outline.definitions[index];
  if (definition === undefined) return '';
  const members = outline.definitions.filter((one) => outline.blocks[one.block]?.owner === index);
  const edits = members.map(({ start, end }) => ({ start, end, text: '' }));
  const lines = applyTextEdits({ text: outline.text.slice(0, definition.end), edits }).slice(definition.start);
  return lines.replace(/(\r?\n[ \t]*)+(?=\r?\n|$)/g, '');
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
