import { NO_USAGE } from '../../core/usage.js';
import type { MethodInput, MethodResult } from '../method.js';

/**
 * A random choice as what it is worth on average: all candidates are equally likely, empty patches too, and none is
 * drawn. Score it with {@link expectedResolved}.
 */
export function selectAtRandom({ input }: { input: MethodInput }): MethodResult {
  const among = input.candidates.map((_, index) => index);
  const reason = `Each of ${among.length} candidates with the same chance.`;
  return {
    method: 'random',
    index: null,
    among,
    reason,
    evidence: [],
    usage: NO_USAGE,
    fallback: null,
    conversations: [],
  };
}
