import type { FailedSuite, FailurePattern } from '../failure-memory.js';
import { internSuites } from './intern.js';
import { mineBlocks } from './mine-blocks.js';

/**
 * Mines the failure memory: m_t = Mine_β(M) as patterns.
 *
 * A pattern is a block of consecutive statements inside one function that at least `minSupport` failed updates hold and
 * that no longer block of the same support holds; those of higher support inside longer ones are kept, so that what all
 * failed updates share stays visible. When the statements as written share nothing, a second pass runs on
 * `abstractedSuites`, the same updates in the same order with their literals abstracted. The answer is exact and does
 * not depend on the order of the updates, except that `texts` are those of the last one that holds the block.
 * `complete` is always true: this miner has no limit at which it stops.
 */
export function mineMomentum({
  suites,
  abstractedSuites,
  minSupport,
}: {
  suites: readonly FailedSuite[];
  abstractedSuites: readonly FailedSuite[];
  minSupport: number;
}): { patterns: readonly FailurePattern[]; abstractedLiterals: boolean; complete: boolean } {
  const literal = patternsOf({ suites, minSupport });
  if (literal.length > 0) return { patterns: literal, abstractedLiterals: false, complete: true };
  const patterns = patternsOf({ suites: abstractedSuites, minSupport });
  return { patterns, abstractedLiterals: patterns.length > 0, complete: true };
}

function patternsOf({ suites, minSupport }: { suites: readonly FailedSuite[]; minSupport: number }): FailurePattern[] {
  const { keys, documents } = internSuites({ suites });
  return mineBlocks({ documents, minSupport, keep: 'closed' }).map(({ items, support, end }) => ({
    keys: items.flatMap((item) => keys[item] ?? []),
    texts:
      suites[end.document]?.functions[end.sequence]?.texts.slice(end.index + 1 - items.length, end.index + 1) ?? [],
    support,
  }));
}
