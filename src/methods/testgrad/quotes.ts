/** Shorter quotes occur in any text by chance. */
const MIN_QUOTE_LETTERS = 8;

/** A sentence of the issue has to be at least this long to be recognised inside a longer explanation. */
const MIN_SENTENCE_LETTERS = 20;

/**
 * True when `quote` really stands in `text`: letter for letter, except for white space, Markdown, the style of
 * quotation marks and dashes, and upper or lower case. Parts around an ellipsis must occur in their order.
 */
export function quoteOccurs({ quote, text }: { quote: string; text: string }): boolean {
  const parts = quote
    .split(/\s*(?:\[?…\]?|\[?\.{3,}\]?)\s*/)
    .map(plain)
    .filter(Boolean);
  if (letters(parts.join('')) < MIN_QUOTE_LETTERS) return false;
  const whole = plain(text);
  let from = 0;
  for (const part of parts) {
    const at = whole.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}

/** True when an explanation is a quote of `text`, holds one between quotation marks, or holds a sentence of it. */
export function quotesFrom({ explanation, text }: { explanation: string; text: string }): boolean {
  const spans = [...explanation.matchAll(/["“«`]([^"”»`]+)["”»`]/g)].map((match) => match[1] ?? '');
  if ([explanation, ...spans].some((quote) => quoteOccurs({ quote, text }))) return true;
  const said = plain(explanation);
  return sentencesOf(text).some((sentence) => said.includes(sentence));
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?:;])\s+|\n\s*\n|\n(?=\s*[-*+>]\s)/)
    .map((sentence) => plain(sentence).replace(/[.!?:;]$/, ''))
    .filter((sentence) => letters(sentence) >= MIN_SENTENCE_LETTERS);
}

/** Text without what differs between a source and its rendering. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/!?\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
    .replace(/^[ \t]*(?:[-+*]|#{1,6}|\d+[.)])[ \t]+/gm, '')
    .replace(/[`*_~#>|\\]/g, '')
    .replace(/[‘’‚′]/g, "'")
    .replace(/[“”„«»″]/g, '"')
    .replace(/[‐-―−]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^["']+|["']+$/g, '')
    .toLowerCase();
}

const letters = (text: string): number => (text.match(/[\p{L}\p{N}]/gu) ?? []).length;
