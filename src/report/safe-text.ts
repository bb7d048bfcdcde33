import { stripVTControlCharacters } from 'node:util';

/**
 * Text of models, tests and issues on its way to a person.
 *
 * Such text is untrusted: escape sequences can rewrite a terminal's screen, title or clipboard, bidirectional
 * overrides can show other characters than the ones that are there, and Markdown can hide links or call people.
 */

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is removed here.
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Invisible characters and those that change the direction of text. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Line ends made LF, escape sequences, other control characters and invisible ones removed; tabs stay. */
export function safeText(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, '\n')).replace(CONTROL, '').replace(INVISIBLE, '');
}

/** {@link safeText} on one line: runs of white space become one space, ends are trimmed. */
export function safeLine(text: string): string {
  return safeText(text).replace(/\s+/g, ' ').trim();
}

/**
 * JSON text in which every control, invisible or direction-changing character is written as a `\u` escape: the
 * document stays the same for a parser and inert on a terminal. `indent` 0 gives one line.
 */
export function safeJson(value: unknown, indent = 2): string {
  const escaped = (found: string): string =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
      '',
    );
  return JSON.stringify(value, null, indent)
    .replace(/[\u007f-\u009f]/g, escaped)
    .replace(INVISIBLE, escaped);
}

/**
 * One line for running Markdown text: nothing in it is markup, a link, HTML, a mention (`@name`) or a reference to an
 * issue (`#12`).
 */
export function markdownLine(text: string): string {
  return (
    safeLine(text)
      .replace(/[\\`*_[\]|~!]/g, '\\$&')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/^([#+=-])/, '\\$1')
      // A list's number: a backslash before a digit would be shown.
      .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
      // A zero-width space keeps hosting sites from notifying people or closing issues, and bare addresses from
      // becoming links.
      .replace(/([@#])(?=\w)/g, '$1\u200b')
      .replace(/:\/\//g, ':\u200b//')
      .replace(/\bwww\./gi, (found) => `${found.slice(0, 3)}\u200b.`)
  );
}

/** Inline code for Markdown, also inside a table: the text stays literal whatever it holds. */
export function markdownCode(text: string): string {
  const line = safeLine(text).replace(/\|/g, '\\|');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length));
  if (longest === 0) {
    return `\`${line === '' ? ' ' : line}\``;
  }
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line} ${fence}`;
}

/** A fenced block for Markdown; the fence is longer than any run of backticks inside. */
export function markdownBlock({ text, language }: { text: string; language: string }): string[] {
  const lines = safeText(text).replace(/\n+$/, '').split('\n');
  const longest = Math.max(2, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map((run) => run[0].length)));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...lines, fence];
}
