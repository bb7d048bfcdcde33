import type { Outline } from './outline.js';
import { type PythonNode, syntaxProblemOf } from './parser.js';

/** How many syntax errors a tree has: error and missing nodes, plus one for what only Python refuses. */
export function errorCountOf({
  root,
  text,
  within,
}: {
  readonly root: PythonNode;
  readonly text: string;
  /** Where to look for what only Python refuses; everywhere by default. */
  readonly within?: { readonly start: number; readonly end: number };
}): number {
  if (!root.hasError) {
    return syntaxProblemOf({ root, text, ...(within === undefined ? {} : { within }) }) === null ? 0 : 1;
  }
  let count = 0;
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    count += node.isError || node.isMissing ? 1 : 0;
    open.push(...node.children.filter((child) => child.hasError || child.isMissing));
  }
  return count;
}

/** Says what went wrong with an edit, or null when it did what it was to do and left all other definitions alone. */
export function damageOf({
  before,
  after,
  touches,
  leaves,
}: {
  readonly before: Outline;
  readonly after: Outline;
  /** Qualified names that the edit may change. */
  readonly touches: readonly string[];
  /** Qualified name that must be there afterwards. */
  readonly leaves: string | null;
}): string | null {
  if (leaves !== null && !after.definitions.some(({ path }) => path === leaves)) {
    return `\`${leaves}\` would not be a definition where it goes: the file has a syntax error around there.`;
  }
  const left = untouched({ outline: before, touches });
  const right = untouched({ outline: after, touches });
  const at = left.findIndex((one, index) => one.path !== right[index]?.path || one.text !== right[index]?.text);
  const changed = left[at] ?? right[left.length];
  return changed === undefined
    ? null
    : `The source would change \`${changed.path}\`, which the operation does not name.`;
}

/** Functions outside of the touched names, with their lines. Classes follow from their members. */
function untouched({ outline, touches }: { readonly outline: Outline; readonly touches: readonly string[] }) {
  return outline.definitions
    .filter(
      ({ type, path, className }) =>
        type === 'function' && !touches.includes(path) && !isInside({ className, names: touches }),
    )
    .map(({ path, start, end }) => ({ path, text: outline.text.slice(start, end) }));
}

const isInside = ({ className, names }: { className: string | null; names: readonly string[] }): boolean =>
  className !== null && names.some((name) => className === name || className.startsWith(`${name}::`));
