/** Text on one line, white space collapsed, cut to at most `maxChars` characters (code points) with an ellipsis. */
export function oneLine({ text, maxChars }: { text: string; maxChars: number }): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length <= maxChars ? characters.join('') : `${characters.slice(0, maxChars - 1).join('')}…`;
}
