/** Imports, decorators without arguments, empty classes and the bare words of control flow. */
const SCAFFOLD =
  /^(import |from [\w.]+ import |(try|else|finally|pass|continue|break|return)\b:?$|(global|nonlocal|del) |@[\w.]+(\(\))?$|class \w+(\(\))?:$)/;

/** A name gets an empty or simple value, or what a call without arguments gives. */
const SIMPLE_VALUE = /^[\w, ]+ = (\[\]|\{\}|\(\)|-?[\d.]+|None|True|False|''|""|\w+\(\))$/;

/** Weights of a statement, so that a block is worth the sum of its statements. */
const WEIGHT = { setUp: 0, plain: 1, focused: 3 } as const;

/**
 * How much a statement tells about the direction of a failed test: 3 for one with a name that the issue or the
 * candidates' changes are about, 0 for imports, simple values, bare decorators and the bare words of control flow, else 1.
 */
export function weightOf({ text, focus }: { text: string; focus: ReadonlySet<string> }): number {
  if (SCAFFOLD.test(text)) return WEIGHT.setUp;
  const names = text.replace(STRINGS, '').match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  if (names.some((name) => focus.has(name))) return WEIGHT.focused;
  return SIMPLE_VALUE.test(text) ? WEIGHT.setUp : WEIGHT.plain;
}

const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** True for a statement that says something alone: with a name of the focus and an argument, or one that checks. */
export function tellsAlone({ text, focus }: { text: string; focus: ReadonlySet<string> }): boolean {
  if (/^(assert\b|self\.(assert|fail))/.test(text)) return true;
  return weightOf({ text, focus }) === WEIGHT.focused && !/\(\)$/.test(text);
}
