import type { ArtifactStore } from '../../artifacts/store.js';
import type { ArtifactRef } from '../../core/artifact.js';
import type { ItemOutcome } from '../../core/benchmark-progress.js';
import { type BenchmarkResult, errorLedger, type ItemError, RESULT_KIND } from '../../core/benchmark-result.js';
import { getDocument } from '../documents.js';

/** The outcome that a result stands for. */
export function outcomeOf({ decidedBy, usage, durations }: BenchmarkResult): ItemOutcome {
  return {
    kind: 'finished',
    decidedBy,
    tokens: usage.inputTokens + usage.outputTokens,
    usd: usage.usd,
    possibleDuplicates: usage.possibleDuplicates,
    wallMs: durations.wallMs,
  };
}

/** What the store has of an item: its result, else its error of this attempt or a later one, else nothing. */
export type OnRecord =
  | { readonly kind: 'finished'; readonly ref: ArtifactRef; readonly outcome: ItemOutcome }
  | { readonly kind: 'error'; readonly outcome: Extract<ItemOutcome, { kind: 'error' }> }
  | null;

/** Looks an item up. The store answers: a server forgets closed workflows. */
export async function itemOnRecord({
  store,
  runId,
  attempt,
}: {
  store: ArtifactStore;
  runId: string;
  attempt: number;
}): Promise<OnRecord> {
  const ref = await store.lookup({ kind: RESULT_KIND, key: runId });
  if (ref !== undefined) {
    return { kind: 'finished', ref, outcome: outcomeOf(await getDocument<BenchmarkResult>({ store, ref })) };
  }
  const lines = await store.readLedger({ key: errorLedger(runId) });
  const latest = lines.map((line) => JSON.parse(line) as ItemError).at(-1);
  if (latest === undefined || latest.attempt < attempt) return null;
  return { kind: 'error', outcome: { kind: 'error', code: latest.code, message: latest.message } };
}
