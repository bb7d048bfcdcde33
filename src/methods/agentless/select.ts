import type { ArtifactRef } from '../../core/artifact.js';
import { addUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import type { MethodEvidence, MethodInput, MethodResult } from '../method.js';
import { selectable, settle, withoutChoice } from '../settle.js';
import type { Normaliser } from './keys.js';
import { eachTree, type RegressionPorts, regressionStage } from './regression.js';
import type { ReproductionVerdict } from './reproduction.js';
import { mostVoted, type Reranking, rerank } from './rerank.js';

/** What Agentless needs from outside. Scripts are documents; equal scripts have equal digests. */
export interface AgentlessPorts extends RegressionPorts {
  /** One call for a reproduction test; `script` is null when the answer holds none. */
  writeReproduction(input: { readonly sample: number; readonly temperature: number }): Promise<{
    readonly script: ArtifactRef | null;
    readonly conversation: ArtifactRef;
    readonly usage: Usage;
  }>;
  /** Runs a script at the root of a candidate's tree, or of the base's where `index` is null. */
  runReproduction(input: { readonly script: ArtifactRef; readonly index: number | null }): Promise<ReproductionVerdict>;
  /** Keys of scripts, in their order, equal for scripts that mean the same: what scriptKeys gives, or its digest. */
  scriptKeys(input: { readonly scripts: readonly ArtifactRef[] }): Promise<readonly string[]>;
  /** A candidate's key, equal for patches that mean the same: what patchKey gives, or its digest; empty stays empty. */
  patchKey(input: { readonly index: number }): Promise<{ readonly key: string; readonly normaliser: Normaliser }>;
}

/** Reproduction tests that are sampled, as published: one at temperature 0, the rest at 0.8. */
export const REPRODUCTION_SAMPLES = 40;

const SAMPLED_TEMPERATURE = 0.8;

/**
 * Agentless: 41 calls at most (one prunes the regression tests, 40 write reproduction tests), then a vote among the
 * candidates with the least regressions that resolve the one reproduction test which won its own vote.
 *
 * Published behaviour, but for two things: test files are chosen without the hidden tests, and a patch that cannot be
 * run has no regression result, where the published harness counted zero failures.
 */
export async function selectByAgentless({
  input,
  ports,
  samples = REPRODUCTION_SAMPLES,
}: {
  input: MethodInput;
  ports: AgentlessPorts;
  samples?: number;
}): Promise<MethodResult> {
  const { candidates } = input;
  const settled = withoutChoice({ method: 'agentless', candidates });
  if (settled !== null) return settled;
  const [regressions, reproduction, keys] = await Promise.all([
    regressionStage({ candidates, ports }),
    chooseReproduction({ ports, samples }),
    Promise.all(selectable(candidates).map(async (index) => ({ index, ...(await ports.patchKey({ index })) }))),
  ]);
  const { script } = reproduction;
  const verdicts =
    script === null
      ? new Map<number, ReproductionVerdict>()
      : await eachTree({ candidates, run: (index) => ports.runReproduction({ script, index }) });
  const patches = candidates.map((_, index) => ({
    key: keys.find((each) => each.index === index)?.key ?? '',
    regressions: regressions.failed[index] ?? null,
    resolves: verdicts.get(index) === 'resolved',
  }));
  const ranking = rerank(patches);
  const { index, fallback } = settle({
    wanted: ranking.index,
    candidates,
    why: 'No candidate changes more than comments and formatting.',
  });
  return {
    method: 'agentless',
    index,
    reason: fallback ?? reasonOf({ ranking, tests: regressions.tests, hasScript: script !== null }),
    evidence: [
      ...regressions.evidence,
      ...[...verdicts].map(([at, verdict]) => ({ index: at, fact: `the reproduction test says: ${verdict}` })),
      ...keys.flatMap(({ index: at, normaliser }): MethodEvidence[] =>
        normaliser === 'text' ? [{ index: at, fact: 'compared by its text: there is no Python of 3.9 or later' }] : [],
      ),
    ],
    usage: addUsage({ left: regressions.usage, right: reproduction.usage }),
    fallback,
    conversations: [...regressions.conversations, ...reproduction.conversations],
  };
}

/** Samples reproduction tests, keeps those that reproduce the issue on the base, and has them vote by their keys. */
async function chooseReproduction({ ports, samples }: { ports: AgentlessPorts; samples: number }): Promise<{
  script: ArtifactRef | null;
  usage: Usage;
  conversations: readonly ArtifactRef[];
}> {
  const written = await Promise.all(
    Array.from({ length: samples }, (_, sample) =>
      ports.writeReproduction({ sample, temperature: sample === 0 ? 0 : SAMPLED_TEMPERATURE }),
    ),
  );
  const usage = written.reduce((sum, each) => addUsage({ left: sum, right: each.usage }), NO_USAGE);
  const conversations = written.map(({ conversation }) => conversation);
  const scripts = written.flatMap(({ script }) => script ?? []);
  const different = [...new Map(scripts.map((script) => [script.digest, script])).values()];
  const verdicts = new Map(
    await Promise.all(
      different.map(async (script) => [script.digest, await ports.runReproduction({ script, index: null })] as const),
    ),
  );
  const verified = scripts.filter(({ digest }) => verdicts.get(digest) === 'reproduced');
  if (verified.length === 0) return { script: null, usage, conversations };
  const named = await ports.scriptKeys({ scripts: verified });
  const voters = verified.flatMap((script, at) => {
    const key = named[at] ?? '';
    return key === '' ? [] : [{ script, key }];
  });
  const winner = mostVoted({ keys: voters.map(({ key }) => key) });
  return { script: winner === null ? null : (voters[winner.first]?.script ?? null), usage, conversations };
}

function reasonOf({ ranking, tests, hasScript }: { ranking: Reranking; tests: number; hasScript: boolean }): string {
  const { eligible, votes, filter } = ranking;
  const among = {
    both: 'with the fewest regressions that resolve the reproduction test',
    regressions: hasScript
      ? 'with the fewest regressions, as none of them resolves the reproduction test'
      : 'with the fewest regressions, as no reproduction test was found',
    none: 'in all, as the regression tests leave none',
  }[filter];
  const vote = votes > 1 ? `${votes} of them make the same change` : 'it comes first in the order given';
  return `Of ${eligible.length} candidates ${among}, ${vote} (${tests} regression tests).`;
}
