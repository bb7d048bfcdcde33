const OPENING = '([{';
const CLOSING = ')]}';

/**
 * One line of Python without its comment.
 *
 * The line is read by itself, as TRAE reads it: where that fails (a string or bracket that does not end on it), it is
 * cut at its first `#`, wherever that stands.
 */
export function withoutComment(line: string): string {
  let depth = 0;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '#') return line.slice(0, at);
    if (char === '"' || char === "'") {
      const end = endOfString({ line, at, quote: char });
      if (end === null) return upToHash(line);
      at = end;
    }
    if (OPENING.includes(char)) depth += 1;
    if (CLOSING.includes(char)) depth -= 1;
    if (depth < 0) return upToHash(line);
  }
  return depth > 0 || line.trimEnd().endsWith('\\') ? upToHash(line) : line;
}

/** Place of a string's last character; null when it does not end on the line. */
function endOfString({ line, at, quote }: { line: string; at: number; quote: string }): number | null {
  const mark = line.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote;
  for (let next = at + mark.length; next < line.length; next += 1) {
    if (line.charAt(next) === '\\') next += 1;
    else if (line.startsWith(mark, next)) return next + mark.length - 1;
  }
  return null;
}

const upToHash = (line: string): string => line.split('#', 1)[0] ?? '';
