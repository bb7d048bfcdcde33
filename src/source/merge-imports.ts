import { extendImport, newImportPlace } from './import-places.js';
import { boundBy, type ImportStatement, importOf } from './import-statement.js';
import { applyTextEdits, type TextEdit } from './lines.js';
import type { Outline } from './outline.js';
import { isExtra, syntaxProblemOf, type UsePython } from './parser.js';
import { lineBreakAt } from './place-snippet.js';
import { type Refusal, refused } from './planned-edit.js';

/** One name to import; `name` is null for `*`. */
interface WantedName {
  readonly module: string | null;
  readonly name: string | null;
  readonly alias: string | null;
}

/**
 * Adds import statements to a module's text; what is there already, under `try` or in two branches of an `if` too, is not
 * added again.
 *
 * A name of a module that the file imports from goes into that statement, any other into a new statement behind the
 * last import at the head of the module (else behind docstring, `__future__` imports and leading comments). Refused
 * when an entry is no import, or would give a name of the module another meaning.
 */
export function mergeImports({
  python,
  outline,
  imports,
}: {
  readonly python: UsePython;
  readonly outline: Outline;
  readonly imports: readonly string[];
}): { readonly kind: 'merged'; readonly text: string } | Refusal {
  const wanted: WantedName[] = [];
  for (const entry of imports) {
    const names = readEntry({ python, entry });
    if (names === null) {
      return refused(`\`${entry.trim()}\` in \`imports\` is not an import statement.`);
    }
    wanted.push(...names);
  }
  const missing: WantedName[] = [];
  for (const name of wanted) {
    const state = stateOf({ outline, name });
    if (typeof state === 'string') {
      return refused(state);
    }
    if (!state.present && !missing.some((other) => textOf(other) === textOf(name) && other.module === name.module)) {
      missing.push(name);
    }
  }
  return { kind: 'merged', text: applyTextEdits({ text: outline.text, edits: planEdits({ outline, missing }) }) };
}

function readEntry({ python, entry }: { readonly python: UsePython; readonly entry: string }): WantedName[] | null {
  const text = entry.trim();
  return python({
    text,
    use: (root) => {
      const statements = root.namedChildren.filter((child) => !isExtra(child));
      if (statements.length === 0 || syntaxProblemOf({ root, text }) !== null) {
        return null;
      }
      if (statements.some((statement) => !/import/.test(statement.type))) {
        return null;
      }
      return statements
        .map(importOf)
        .flatMap(({ module, names, wildcard }) => [
          ...names.map(({ name, alias }) => ({ module, name, alias: alias === name ? null : alias })),
          ...(wildcard ? [{ module, name: null, alias: null }] : []),
        ]);
    },
  });
}

/** Whether a name is imported already, or why it may not be. */
function stateOf({ outline, name }: { readonly outline: Outline; readonly name: WantedName }) {
  const existing = outline.imports.filter((statement) => !isConditional({ outline, statement }));
  if (name.name === null) {
    return { present: existing.some(({ module, wildcard }) => wildcard && module === name.module) };
  }
  const { module, alias } = name;
  const wanted = boundBy({ module, name: { name: name.name, alias } });
  const known = existing.flatMap((statement) =>
    statement.names.map((one) => ({ ...boundBy({ module: statement.module, name: one }), statement, name: one.name })),
  );
  const sameName = known.filter(({ bound }) => bound === wanted.bound);
  if (module === null && alias === null) {
    const wholeName = name.name;
    const plain = sameName.filter(({ statement }) => statement.module === null);
    if (plain.some((one) => one.name === wholeName || one.name.startsWith(`${wholeName}.`))) {
      return { present: true };
    }
  } else if (sameName.some(({ target }) => target === wanted.target)) {
    return { present: true };
  }
  const other = sameName.find(({ target }) => target !== wanted.target)?.statement;
  const rebound =
    other ??
    outline.definitions.find((one) => one.className === null && one.name === wanted.bound) ??
    outline.bindings.find((one) => one.owner < 0 && one.name === wanted.bound);
  if (rebound !== undefined) {
    const line = outline.lines.at(rebound.start) + 1;
    return `Line ${line} gives \`${wanted.bound}\` another meaning than \`${statementOf([name])}\`: import it under another name.`;
  }
  return { present: false };
}

/** True for an import under an `if` that leaves its names unbound elsewhere: nothing says that it runs. */
function isConditional({ outline, statement }: { outline: Outline; statement: ImportStatement }): boolean {
  const start = Number(/^\/if_statement@(\d+)/.exec(statement.branch)?.[1] ?? -1);
  if (start < 0) return false;
  const inBranches = outline.imports.filter(
    ({ branch }) => branch.startsWith(`/if_statement@${start}.`) && branch !== statement.branch,
  );
  const names = ({ module, names: all }: ImportStatement) => all.map((name) => boundBy({ module, name }).bound);
  const elsewhere = new Set(inBranches.flatMap(names));
  return !names(statement).some((name) => elsewhere.has(name));
}

function planEdits({ outline, missing }: { outline: Outline; missing: readonly WantedName[] }): TextEdit[] {
  const edits: TextEdit[] = [];
  const fresh: WantedName[][] = [];
  // A plain import stands alone; the names of one module share a statement.
  const keys = missing.map((name) => name.module ?? `import ${textOf(name)}`);
  for (const key of new Set(keys)) {
    const names = missing.filter((_, index) => keys[index] === key);
    const module = names[0]?.module ?? null;
    const stars = names.filter(({ name }) => name === null);
    const plain = names.filter(({ name }) => name !== null);
    const host = outline.imports.find(
      (one) => one.branch === '' && module !== null && one.module === module && one.names.length > 0,
    );
    if (host !== undefined && plain.length > 0) {
      edits.push(...extendImport({ outline, statement: host, names: plain.map(textOf) }));
    } else if (plain.length > 0) {
      fresh.push(plain);
    }
    fresh.push(...stars.map((star) => [star]));
  }
  for (const isFuture of [true, false]) {
    const statements = fresh.filter(([first]) => (first?.module === '__future__') === isFuture).map(statementOf);
    if (statements.length > 0) {
      const { index, before, after } = newImportPlace({ outline, isFuture });
      const lineBreak = lineBreakAt({ lines: outline.lines, line: outline.lines.at(index) });
      const text = lineBreak.repeat(before) + statements.join(lineBreak) + lineBreak.repeat(after);
      edits.push({ start: index, end: index, text });
    }
  }
  return edits;
}

const textOf = ({ name, alias }: WantedName): string => `${name ?? '*'}${alias === null ? '' : ` as ${alias}`}`;

function statementOf(names: readonly WantedName[]): string {
  const module = names[0]?.module ?? null;
  const list = names.map(textOf).join(', ');
  return module === null ? `import ${list}` : `from ${module} import ${list}`;
}
