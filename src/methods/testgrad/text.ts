/**
 * Text of the repository, of the issue or of a candidate between tags, so that a model can tell it from instructions.
 * Closing tags inside the text are broken up: it cannot end its own frame.
 */
export function delimited({ tag, text }: { tag: string; text: string }): string {
  const safe = text.replaceAll(new RegExp(`</(?=\\s*${tag}\\b)`, 'gi'), '<\\/');
  return `<${tag}>\n${safe.trimEnd()}\n</${tag}>`;
}

/** The beginning of a text, cut at a line's end where one is near, with a note of how much is missing. */
export function clip({ text, maxChars }: { text: string; maxChars: number }): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  const lineEnd = cut.lastIndexOf('\n');
  const kept = lineEnd > maxChars / 2 ? cut.slice(0, lineEnd) : cut;
  return `${kept}\n[… ${text.length - kept.length} characters left out]`;
}

/** Sections with their headings; those without text are left out. */
export function sections(parts: readonly (readonly [heading: string, text: string])[]): string {
  return parts
    .filter(([, text]) => text.trim() !== '')
    .map(([heading, text]) => `## ${heading}\n\n${text.trim()}`)
    .join('\n\n');
}
