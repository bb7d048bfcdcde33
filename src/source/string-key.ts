import { isExtra, type PythonNode } from './parser.js';

/** Strings with more characters than this say little about a test's direction and fill a momentum. */
const LONGEST_KEPT = 80;

/**
 * The key of a string or of adjacent strings: prefix letters in order, double quotes, contents with unified escapes of
 * quotes. `<str>` for a string of more than 80 characters, and for all strings when literals are abstracted.
 *
 * `interpolation` gives the key of what stands in the braces of an f-string, braces included.
 */
export function stringKey({
  node,
  abstractLiterals,
  interpolation,
}: {
  readonly node: PythonNode;
  readonly abstractLiterals: boolean;
  readonly interpolation: (part: PythonNode) => string;
}): string {
  const strings = node.type === 'string' ? [node] : node.namedChildren.filter((child) => !isExtra(child));
  const pieces = strings.map((string) => pieceOf({ string, interpolation }));
  const length = pieces.reduce((sum, { content }) => sum + content.length, 0);
  if (abstractLiterals || length > LONGEST_KEPT) {
    return '<str>';
  }
  const merged: { prefix: string; content: string }[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last?.prefix === piece.prefix) {
      last.content += piece.content;
    } else {
      merged.push({ ...piece });
    }
  }
  return merged.map(({ prefix, content }) => `${prefix}"${content}"`).join(' ');
}

function pieceOf({
  string,
  interpolation,
}: {
  readonly string: PythonNode;
  readonly interpolation: (part: PythonNode) => string;
}): { readonly prefix: string; readonly content: string } {
  const opening = string.namedChildren.find((child) => child.type === 'string_start')?.text ?? '"';
  const prefix = [...opening.replace(/["']+$/, '').toLowerCase()]
    .filter((letter) => letter !== 'u')
    .sort()
    .join('');
  const content = string.namedChildren
    .map((child) => {
      if (child.type === 'string_content') {
        return prefix.includes('r') ? child.text : plainContent(child.text);
      }
      return child.type === 'interpolation' ? interpolation(child) : '';
    })
    .join('');
  return { prefix, content };
}

/** Contents without the backslashes that only serve the kind of quotes, or that continue a line. */
function plainContent(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/\\([\s\S])/g, (pair, next: string) => (next === '\n' ? '' : /["']/.test(next) ? next : pair));
}
