import { addUsage } from '../../core/usage.js';
import { type RegressionPorts, type Regressions, regressionStage } from '../agentless/regression.js';
import type { MethodInput, MethodResult } from '../method.js';
import { selectable, settle, withoutChoice } from '../settle.js';
import { decideGroup, type GroupDecision, type VoteOptions } from './group.js';
import type { SelectorPorts } from './vote.js';

/** What TRAE needs from outside. */
export interface TraePorts extends RegressionPorts, SelectorPorts {
  /** A candidate's key for leaving out duplicates: what cleanedPatch gives, or its digest. */
  cleanedKey(input: { readonly index: number }): Promise<string>;
}

/** How far TRAE goes. */
export interface TraeOptions extends VoteOptions {
  /** Candidates that are shown together; published: 10. */
  readonly groupSize: number;
}

/** As published. */
export const TRAE_OPTIONS: TraeOptions = { votes: 5, maxTurns: 50, maxBroken: 3, groupSize: 10 };

/**
 * TRAE: candidates that fail regression tests are pruned, duplicates left out, and a selector that can look around in
 * the repository and run things there chooses, several times; most votes win, and a tie the one that was voted for first.
 *
 * Published behaviour, but for this: nothing is decided by known results, which the published script does when all
 * candidates are right or all are wrong; every run starts from the clean base; a run that breaks is repeated alone; where
 * only one candidate is left, nothing is asked. With more than `groupSize` candidates the winners of the groups meet
 * again, which is left to people there. Regression tests are those of Agentless, as published.
 */
export async function selectByTrae({
  input,
  ports,
  options = TRAE_OPTIONS,
}: {
  input: MethodInput;
  ports: TraePorts;
  options?: TraeOptions;
}): Promise<MethodResult> {
  const { candidates } = input;
  const settled = withoutChoice({ method: 'trae', candidates });
  if (settled !== null) return settled;
  const usable = selectable(candidates);
  const [regressions, keys] = await Promise.all([
    regressionStage({ candidates, ports }),
    Promise.all(usable.map(async (index) => [index, await ports.cleanedKey({ index })] as const)),
  ]);
  const kept = (group: readonly number[]) =>
    withoutDuplicates({ group: pruned({ group, regressions }), keys: new Map(keys) });

  const decided: GroupDecision[] = [];
  let left: readonly number[] = usable;
  do {
    const winners: number[] = [];
    for (const group of groupsOf({ items: left, size: Math.max(2, options.groupSize) })) {
      const runs = decided.reduce((sum, each) => sum + each.runs, 0);
      const decision = await decideGroup({ shown: kept(group), runsBefore: runs, ports, options });
      decided.push(decision);
      winners.push(decision.index);
    }
    left = winners;
  } while (left.length > 1);
  const last = decided.at(-1);
  const { index, fallback } = settle({ wanted: left[0] ?? null, candidates, why: '' });
  return {
    method: 'trae',
    index,
    reason: last?.reason ?? '',
    evidence: [...regressions.evidence, ...decided.flatMap((each) => each.evidence)],
    usage: decided.reduce((sum, each) => addUsage({ left: sum, right: each.usage }), regressions.usage),
    fallback: fallback ?? last?.fallback ?? null,
    conversations: [...regressions.conversations, ...decided.flatMap((each) => each.conversations)],
  };
}

/** Those without a regression where there are any, else all. */
function pruned({ group, regressions }: { group: readonly number[]; regressions: Regressions }): readonly number[] {
  const clean = group.filter((index) => regressions.failed[index] === 0);
  return clean.length > 0 ? clean : group;
}

/** The first of each key. */
function withoutDuplicates({
  group,
  keys,
}: {
  group: readonly number[];
  keys: ReadonlyMap<number, string>;
}): readonly number[] {
  return group.filter((index, at) => group.findIndex((other) => keys.get(other) === keys.get(index)) === at);
}

function groupsOf({ items, size }: { items: readonly number[]; size: number }): (readonly number[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
