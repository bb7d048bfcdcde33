/** What is known of one patch when Agentless decides. */
export interface RankedPatch {
  /** Equal for patches that mean the same; empty for an empty patch. */
  readonly key: string;
  /** Regression tests that it fails; null where it was not run. */
  readonly regressions: number | null;
  /** True when it makes the reproduction test say that the issue is resolved. */
  readonly resolves: boolean;
}

/** How Agentless decides, and among whom. */
export interface Reranking {
  /** Index of the selected patch; null when all are empty. */
  readonly index: number | null;
  /** Indices that were voted among. */
  readonly eligible: readonly number[];
  /** Patches of the winner's key among those. */
  readonly votes: number;
  /** `both`: least regressions, and the issue is resolved; `regressions`: none resolves it; `none`: neither helped. */
  readonly filter: 'both' | 'regressions' | 'none';
}

/** Where a patch was not run, as published. */
const NOT_RUN = 10_000;

/**
 * Agentless's decision: among the patches with the least regressions that resolve the reproduction test, or those with
 * the least regressions where none does, or all, the key with the most votes; ties go to the smallest index.
 *
 * The least is taken over all patches, as published.
 */
export function rerank(patches: readonly RankedPatch[]): Reranking {
  const failed = ({ regressions }: RankedPatch): number => regressions ?? NOT_RUN;
  const least = Math.min(...patches.map(failed));
  const written = indicesOf({ patches, accepts: ({ key }) => key !== '' });
  const fewest = indicesOf({ patches, accepts: (patch) => patch.key !== '' && failed(patch) === least });
  const resolving = fewest.filter((index) => patches[index]?.resolves === true);
  if (resolving.length > 0) return vote({ patches, eligible: resolving, filter: 'both' });
  if (fewest.length > 0) return vote({ patches, eligible: fewest, filter: 'regressions' });
  return vote({ patches, eligible: written, filter: 'none' });
}

function indicesOf({
  patches,
  accepts,
}: {
  patches: readonly RankedPatch[];
  accepts: (patch: RankedPatch) => boolean;
}): number[] {
  return patches.flatMap((patch, index) => (accepts(patch) ? [index] : []));
}

function vote({
  patches,
  eligible,
  filter,
}: {
  patches: readonly RankedPatch[];
  eligible: readonly number[];
  filter: Reranking['filter'];
}): Reranking {
  const winner = mostVoted({ keys: eligible.map((index) => patches[index]?.key ?? '') });
  if (winner === null) return { index: null, eligible, votes: 0, filter };
  return { index: eligible[winner.first] ?? null, eligible, votes: winner.votes, filter };
}

/** The key that occurs most, by the place of its first occurrence; the earliest wins a tie. Null for no key. */
export function mostVoted({ keys }: { keys: readonly string[] }): { first: number; votes: number } | null {
  const votes = new Map<string, number>();
  for (const key of keys) votes.set(key, (votes.get(key) ?? 0) + 1);
  let best: { first: number; votes: number } | null = null;
  for (const [key, count] of votes) {
    if (best === null || count > best.votes) best = { first: keys.indexOf(key), votes: count };
  }
  return best;
}
