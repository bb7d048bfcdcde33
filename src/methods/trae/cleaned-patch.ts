import { withoutComment } from './line-comment.js';

/**
 * The key by which TRAE recognises equal patches: the added and removed lines in their order, without comments and
 * without any white space. File names and context do not count. Empty for a text without a hunk.
 *
 * Published behaviour, all leading signs of a line included (`+++i` gives `+i`), but for one thing: a hunk that is
 * shorter or longer than it announces ended the whole attempt there; here the key is the text without white space.
 *
 * Source: bytedance/trae-agent, evaluation/patch_selection.
 */
export function cleanedPatch(patch: string): string {
  const changes = changedLines(patch.split(/\r\n|\r|\n/));
  if (changes === null) return patch.replace(/\s+/g, '');
  return changes.map(cleanedLine).join('').replace(/\s+/g, '');
}

function cleanedLine(line: string): string {
  const sign = line.slice(0, 1);
  const text = line.replace(sign === '+' ? /^\++/ : /^-+/, '');
  if (/^\s*(#|$)/.test(text)) return '';
  return sign + withoutComment(text);
}

/** Added and removed lines of all hunks; null when a hunk's lines are not as many as it announces. */
function changedLines(lines: readonly string[]): string[] | null {
  const changed: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const header = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[at] ?? '');
    if (header === null) continue;
    let [before, after] = [Number(header[1] ?? 1), Number(header[2] ?? 1)];
    while (before > 0 || after > 0) {
      at += 1;
      const line = lines[at];
      if (line === undefined || !/^([+\-\\ \t]|$)/.test(line)) return null;
      if (line.startsWith('\\')) continue;
      if (!line.startsWith('+')) before -= 1;
      if (!line.startsWith('-')) after -= 1;
      if (before < 0 || after < 0) return null;
      if (/^[+-]/.test(line)) changed.push(line);
    }
  }
  return changed;
}
