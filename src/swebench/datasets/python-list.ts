const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '0': '\0',
  '\n': '',
};

/**
 * Reads a list of strings as Python prints it, `['a', "it's"]`: SWE-bench Pro stores its test names so. Null for
 * anything else; nothing is evaluated.
 */
export function readPythonList(text: string): string[] | null {
  const items: string[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== '[') return null;
  at = skipSpace(text, at + 1);
  while (text[at] !== ']') {
    const item = readString(text, at);
    if (item === null) return null;
    items.push(item.value);
    at = skipSpace(text, item.end);
    if (text[at] === ',') at = skipSpace(text, at + 1);
    else if (text[at] !== ']') return null;
  }
  return skipSpace(text, at + 1) === text.length ? items : null;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] as string)) at += 1;
  return at;
}

function readString(text: string, from: number): { value: string; end: number } | null {
  const quote = text[from];
  if (quote !== "'" && quote !== '"') return null;
  let value = '';
  for (let at = from + 1; at < text.length; ) {
    const character = text[at] as string;
    if (character === quote) return { value, end: at + 1 };
    if (character !== '\\') {
      value += character;
      at += 1;
      continue;
    }
    const code = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(text.slice(at, at + 10));
    if (code !== null) {
      const point = Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '', 16);
      if (point > 0x10ffff) return null;
      value += String.fromCodePoint(point);
      at += code[0].length;
    } else {
      const next = text[at + 1] ?? '';
      // Python leaves a backslash before any other character as it is.
      value += ESCAPES[next] ?? (/['"\\]/.test(next) ? next : `\\${next}`);
      at += 2;
    }
  }
  return null;
}
