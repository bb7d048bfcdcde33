import type { Usage } from '../core/usage.js';

/** `950`, `21.3k`, `1.2M`. */
export function countText(count: number): string {
  if (count < 10_000) {
    return String(Math.round(count));
  }
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

/** `$0.09`, `under $0.01`, or `price unknown`. */
export function priceText(usd: number | null): string {
  if (usd === null) {
    return 'price unknown';
  }
  return usd > 0 && usd < 0.005 ? 'under $0.01' : `$${usd.toFixed(2)}`;
}

/** `12 calls, 212.0k tokens (200.1k in, 11.9k out), $0.09`, or `no model was asked`. */
export function usageText(usage: Usage): string {
  if (usage.calls === 0) {
    return 'no model was asked';
  }
  const tokens = usage.inputTokens + usage.outputTokens;
  const parts = [
    `${usage.calls} ${usage.calls === 1 ? 'call' : 'calls'}`,
    `${countText(tokens)} tokens (${countText(usage.inputTokens)} in, ${countText(usage.outputTokens)} out)`,
    priceText(usage.usd),
  ];
  if (usage.possibleDuplicates > 0) {
    parts.push(`${usage.possibleDuplicates} perhaps paid twice`);
  }
  if (usage.drifted > 0) {
    parts.push(`${usage.drifted} answered by a recording whose request differs`);
  }
  return parts.join(', ');
}
