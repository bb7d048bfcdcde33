/**
 * What Python 3 calls white space in text (`str.isspace`, `\s`): unlike JavaScript's it holds the four separators
 * U+001C…U+001F and U+0085, and not U+FEFF. The published parsers split with it, so names depend on it.
 */
export const PYTHON_SPACE =
  '\\t\\n\\v\\f\\r\\u001c-\\u001f \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const SPACES = new RegExp(`[${PYTHON_SPACE}]+`, 'u');
const SPACE = new RegExp(`[${PYTHON_SPACE}]`, 'u');

/** Words of a line, as `str.split()` gives them: no empty one. */
export function words(text: string): string[] {
  return text.split(SPACES).filter((word) => word !== '');
}

/** A text without white space at its ends, as `str.strip()` gives it. */
export function strip(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && SPACE.test(text.charAt(start))) start += 1;
  while (end > start && SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A text as Python reads it from a file: `\r\n` and `\r` become `\n`. */
export const universalNewlines = (text: string): string => text.replace(/\r\n?/g, '\n');
