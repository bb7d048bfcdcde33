import type { ArtifactRef } from '../../core/artifact.js';
import type { PreparedCandidate } from '../../core/candidate.js';
import { addUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import type { MethodEvidence } from '../method.js';
import { selectable } from '../settle.js';

/** What the regression stage needs from outside. Lists of tests are documents, as they may be long. */
export interface RegressionPorts {
  /** Tests of the relevant files that pass on the base. */
  passingTests(): Promise<{ readonly tests: ArtifactRef; readonly count: number }>;
  /** One call of a model that names the tests which a fix may rightly break; they are taken away. */
  pruneTests(input: { readonly tests: ArtifactRef }): Promise<{
    readonly tests: ArtifactRef;
    readonly count: number;
    readonly conversation: ArtifactRef;
    readonly usage: Usage;
  }>;
  /** Runs the tests on a candidate and names those that it fails, a few at most. */
  countRegressions(input: { readonly index: number; readonly tests: ArtifactRef }): Promise<{
    readonly failed: number;
    readonly named: readonly string[];
  }>;
}

/** What the regression stage found. */
export interface Regressions {
  /** Failed regression tests by index; null for a candidate that cannot be run. */
  readonly failed: readonly (number | null)[];
  /** Regression tests that were run. */
  readonly tests: number;
  readonly evidence: readonly MethodEvidence[];
  readonly usage: Usage;
  readonly conversations: readonly ArtifactRef[];
}

/**
 * The regression stage of Agentless, which TRAE builds on too: tests that pass on the base, without those that a model
 * names as legitimately broken by a fix, are run on every candidate.
 *
 * The published stage takes the test files from the hidden test patch. Here they are those that the candidates' files
 * make relevant. Candidates with the same tree are run once.
 */
export async function regressionStage({
  candidates,
  ports,
}: {
  candidates: readonly PreparedCandidate[];
  ports: RegressionPorts;
}): Promise<Regressions> {
  const passing = await ports.passingTests();
  if (passing.count === 0) return unrun({ candidates, usage: NO_USAGE, conversations: [] });
  const pruned = await ports.pruneTests({ tests: passing.tests });
  const asked = { usage: addUsage({ left: NO_USAGE, right: pruned.usage }), conversations: [pruned.conversation] };
  if (pruned.count === 0) return unrun({ candidates, ...asked });
  const found = await eachTree({
    candidates,
    run: (index) => ports.countRegressions({ index, tests: pruned.tests }),
  });
  return {
    failed: candidates.map((_, index) => found.get(index)?.failed ?? null),
    tests: pruned.count,
    evidence: [...found].map(([index, { failed, named }]) => ({
      index,
      fact: factOf({ failed, named, of: pruned.count }),
    })),
    ...asked,
  };
}

/** Runs something once for each different tree of the usable candidates; the results by candidate's index. */
export async function eachTree<Result>({
  candidates,
  run,
}: {
  candidates: readonly PreparedCandidate[];
  run: (index: number) => Promise<Result>;
}): Promise<Map<number, Result>> {
  const usable = selectable(candidates);
  const firsts = usable.filter((index) => firstLike({ candidates, index }) === index);
  const results = new Map<number, Result>();
  await Promise.all(
    firsts.map(async (index) => {
      results.set(index, await run(index));
    }),
  );
  return new Map(
    usable.flatMap((index) => {
      const result = results.get(firstLike({ candidates, index }));
      return result === undefined ? [] : [[index, result] as const];
    }),
  );
}

/** Index of the first candidate with the same tree. */
function firstLike({ candidates, index }: { candidates: readonly PreparedCandidate[]; index: number }): number {
  const own = candidates[index];
  const first = own?.kind === 'usable' ? candidates.findIndex(({ id }) => id === own.sameAs) : index;
  return first === -1 ? index : first;
}

function unrun({
  candidates,
  usage,
  conversations,
}: {
  candidates: readonly PreparedCandidate[];
  usage: Usage;
  conversations: readonly ArtifactRef[];
}): Regressions {
  const failed = candidates.map(({ kind }) => (kind === 'usable' ? 0 : null));
  return { failed, tests: 0, evidence: [], usage, conversations };
}

function factOf({ failed, named, of }: { failed: number; named: readonly string[]; of: number }): string {
  const names = named.length > 0 ? `: ${named.join(', ')}${named.length < failed ? ', …' : ''}` : '';
  return `fails ${failed} of ${of} regression tests${names}`;
}
