/** A word for a shell, as Python's `shlex.quote` writes it: unchanged where nothing in it means something to a shell. */
export function shellQuote(word: string): string {
  return word !== '' && /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}
