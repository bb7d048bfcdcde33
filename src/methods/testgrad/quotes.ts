/** Shorter quotes occur in any text by chance. */
const MIN_QUOTE_LETTERS = 8;

/** A name or a turn of phrase requires nothing; a sentence as a whole may have fewer words than a part of one. */
const MIN_WORDS = { part: 4, whole: 2 };

/** A sentence of the issue has to be at least this long to be recognised inside a longer explanation. */
const MIN_SENTENCE_LETTERS = 20;

/**
 * True when `quote` really stands in `text`: letter for letter, except for white space, Markdown, the style of
 * quotation marks and dashes, and upper or lower case. Parts around an ellipsis must occur in their order.
 *
 * It has at least four words in a row, or is a whole sentence or line of at least two.
 */
export function quoteOccurs({ quote, text }: { quote: string; text: string }): boolean {
  const parts = quote
    .split(/\s*(?:\[?…\]?|\[?\.{3,}\]?)\s*/)
    .map(plain)
    .filter(Boolean);
  if (letters(parts.join('')) < MIN_QUOTE_LETTERS) return false;
  if (!parts.some((part) => wordsIn(part) >= MIN_WORDS.part) && !isWhole({ quote, text })) return false;
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
  const spans = [...explanation.matchAll(/["“«]([^"”»]+)["”»]/g)].map((match) => match[1] ?? '');
  if ([explanation, ...spans].some((quote) => quoteOccurs({ quote, text }))) return true;
  const said = plain(explanation);
  return sentencesOf(text).some((sentence) => said.includes(sentence));
}

function sentencesOf(text: string): string[] {
  return pieces({ text, ends: /(?<=[.!?:;])\s+|(?<=[。！？；])|\n\s*\n|\n(?=\s*[-*+>]\s)/ }).filter(
    (sentence) => letters(sentence) >= MIN_SENTENCE_LETTERS,
  );
}

function isWhole({ quote, text }: { quote: string; text: string }): boolean {
  const whole = withoutEnd(plain(quote));
  if (wordsIn(whole) < MIN_WORDS.whole) return false;
  return [/\n/, /(?<=[.!?])\s+|(?<=[。！？])|\n\s*\n/].some((ends) => pieces({ text, ends }).includes(whole));
}

const pieces = ({ text, ends }: { text: string; ends: RegExp }): string[] =>
  text.split(ends).map((piece) => withoutEnd(plain(piece)));

const withoutEnd = (sentence: string): string => sentence.replace(/[.!?:;。！？；]$/, '');

/** Words between white space; in scripts that write none, each letter is taken for one. */
function wordsIn(text: string): number {
  const spaced = text.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  return Math.max(spaced, (text.match(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/gu) ?? []).length);
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
