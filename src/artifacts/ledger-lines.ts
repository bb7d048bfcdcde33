/** ASCII CANCEL at the end of a line: a crash tore it. JSON text never holds this character. */
const CANCEL = '\u0018';

/** What to write for a line; after a torn one, its rest is cancelled first so that the two do not become one. */
export function ledgerRecord({ line, torn }: { line: string; torn: boolean }): string {
  if (['\n', '\r', CANCEL].some((character) => line.includes(character)))
    throw new TypeError('A ledger line must be one line without control characters.');
  return `${torn ? `${CANCEL}\n` : ''}${line}\n`;
}

/** The complete lines of a ledger's text. */
export function ledgerLines(text: string): string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => !line.endsWith(CANCEL));
}
