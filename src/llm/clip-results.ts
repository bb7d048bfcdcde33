import type { ChatMessage } from './chat.js';
import { countMessage } from './tokens.js';

type ToolResult = Extract<ChatMessage, { role: 'tool' }>;

/** Tries to meet a size by cutting; each takes a tenth more off. */
const TRIES = 40;

/**
 * Cuts the longest of some tool results until all of them together lose `excessTokens`, with a note of how much is
 * missing. Short ones stay whole as long as long ones can give. Gives less than asked when even the notes are too much.
 */
export function clipResults({
  results,
  excessTokens,
}: {
  results: readonly ToolResult[];
  excessTokens: number;
}): ToolResult[] {
  const sizes = results.map(countMessage);
  const cap = capFor({ sizes, totalTokens: sizes.reduce((sum, size) => sum + size, 0) - excessTokens });
  return results.map((result, index) => ((sizes[index] ?? 0) > cap ? clipTo({ result, maxTokens: cap }) : result));
}

/** The size at which the longest have to be cut so that all sizes add up to `totalTokens` at most. */
function capFor({ sizes, totalTokens }: { sizes: readonly number[]; totalTokens: number }): number {
  let left = totalTokens;
  const ascending = [...sizes].sort((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return Math.max(0, share);
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

function clipTo({ result, maxTokens }: { result: ToolResult; maxTokens: number }): ToolResult {
  const { content } = result;
  let kept = Math.floor((content.length * maxTokens) / countMessage(result));
  for (let tries = 0; tries < TRIES && kept > 0; tries += 1) {
    const clipped = withNote({ result, kept });
    if (countMessage(clipped) <= maxTokens) return clipped;
    kept = Math.floor(kept * 0.9);
  }
  const empty = withNote({ result, kept: 0 });
  return countMessage(empty) < countMessage(result) ? empty : result;
}

function withNote({ result, kept }: { result: ToolResult; kept: number }): ToolResult {
  const { content } = result;
  const note = `[cut: the results of one answer were too long together; ${content.length - kept} characters left out, ask for less at a time]`;
  // Half a character would be no valid JSON for some endpoints.
  const whole = content.slice(0, kept).replace(/[\ud800-\udbff]$/, '');
  return { ...result, content: whole === '' ? note : `${whole}\n${note}` };
}
