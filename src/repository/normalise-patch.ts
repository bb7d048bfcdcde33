import type { ExclusionReason } from '../core/candidate.js';
import { countLines, type PatchHunk, type PatchSection, renderSections } from './patch-sections.js';
import { bare, fromPatchText, patchToText, textToPatch } from './patch-text.js';
import { readSections } from './read-sections.js';

/** A candidate's text as a patch that git reads, or why it is none. */
export type NormalisedPatch =
  | {
      readonly kind: 'patch';
      readonly bytes: Uint8Array;
      readonly sections: readonly PatchSection[];
      /** What was mended or left out, for people. */
      readonly notes: readonly string[];
    }
  | {
      readonly kind: 'excluded';
      readonly reason: Extract<ExclusionReason, 'empty' | 'malformed'>;
      /** What is wrong and in which line of the text as given. */
      readonly detail: string;
    };

/** Blank context lines at the very end that were trimmed with the text around the patch. */
const MAX_TRIMMED_LINES = 5;

/**
 * Takes the patch out of a candidate's text (UTF-8 or UTF-16; prose, mail headers and Markdown fences around it are left
 * out) and mends what transport breaks without changing what it says: CRLF of the transport, a missing final newline,
 * missing `a/` `b/` prefixes, missing mode lines of new and deleted files, trimmed blank lines, wrong counts in the
 * headers of hunks. Hunks' lines stay byte for byte; a patch that ends within a hunk is malformed, as what is missing is
 * not known. A normalised patch stays as it is.
 */
export function normalisePatch({ bytes }: { bytes: Uint8Array }): NormalisedPatch {
  const { text, notes } = decode(bytes);
  if (text.trim() === '') return { kind: 'excluded', reason: 'empty', detail: 'The patch is empty.' };
  const endsWithNewline = text.endsWith('\n');
  const lines = text.split('\n');
  if (endsWithNewline) lines.pop();
  else notes.push('the final newline was missing');
  const reading = readSections(lines);
  if (reading.kind === 'problem') return malformed(`Line ${reading.line}: ${reading.problem}.`);
  if (reading.sections.length === 0) return malformed(`No diff in it; it starts with: ${firstLine(lines)}`);

  const sections: PatchSection[] = [];
  for (const section of reading.sections) {
    const hunks: PatchHunk[] = [];
    for (const [index, hunk] of section.hunks.entries()) {
      const name = `${fromPatchText(section.path)}, hunk ${index + 1}`;
      const mended = mendCounts({ hunk, name });
      if (mended.kind === 'cut-off') return malformed(mended.detail);
      hunks.push(mended.hunk);
      notes.push(...mended.notes);
    }
    sections.push({ ...section, hunks });
  }
  notes.push(...reading.notes);
  return { kind: 'patch', bytes: textToPatch(renderSections(sections)), sections, notes };
}

function malformed(detail: string): NormalisedPatch {
  return { kind: 'excluded', reason: 'malformed', detail };
}

function decode(bytes: Uint8Array): { text: string; notes: string[] } {
  const notes: string[] = [];
  let text = patchToText(bytes);
  if (text.startsWith('\xff\xfe') || text.startsWith('\xfe\xff')) {
    const encoding = text.startsWith('\xff\xfe') ? 'utf-16le' : 'utf-16be';
    text = patchToText(Buffer.from(new TextDecoder(encoding).decode(bytes)));
    notes.push('the text was UTF-16');
  }
  if (text.startsWith('\xef\xbb\xbf')) text = text.slice(3);
  // Headers are never part of a file: a carriage return there comes from the transport, and so did all the others.
  if (/^(diff --git .*|--- .*\r?\n\+\+\+ .*)\r$/m.test(text)) {
    text = text.split('\n').map(bare).join('\n');
    notes.push('line ends were CRLF');
  }
  return { text, notes };
}

type Mended =
  | { readonly kind: 'hunk'; readonly hunk: PatchHunk; readonly notes: readonly string[] }
  | { readonly kind: 'cut-off'; readonly detail: string };

function mendCounts({ hunk, name }: { hunk: PatchHunk; name: string }): Mended {
  const { announced, lines, line } = hunk;
  const counts = countLines(lines);
  const missing = { old: announced.old - counts.old, new: announced.new - counts.new };
  if (missing.old === 0 && missing.new === 0) return { kind: 'hunk', hunk, notes: [] };
  if (!hunk.cutOff) {
    const note = `${name} announces ${say(announced)} and has ${say(counts)} lines; the counts were corrected`;
    return { kind: 'hunk', hunk, notes: [note] };
  }
  if (missing.old === missing.new && missing.old <= MAX_TRIMMED_LINES) {
    const restored = [...lines, ...Array<string>(missing.old).fill(' ')];
    const notes = [`${name} had lost ${missing.old} blank line(s) at the end of the text`];
    return { kind: 'hunk', hunk: { ...hunk, lines: restored }, notes };
  }
  const detail = `${name}, line ${line}: the text ends within the hunk, which announces ${say(announced)} lines and has`;
  return { kind: 'cut-off', detail: `${detail} ${say(counts)}.` };
}

function say(counts: { old: number; new: number }): string {
  return `-${counts.old} +${counts.new}`;
}

function firstLine(lines: readonly string[]): string {
  return fromPatchText(lines.find((line) => line.trim() !== '') ?? '').slice(0, 80);
}
