import type { CandidateTable } from './candidate-table.js';

/** Two agents on the instances where both are graded. */
export interface AgentPair {
  readonly left: string;
  readonly right: string;
  readonly instances: number;
  readonly both: number;
  readonly onlyLeft: number;
  readonly onlyRight: number;
  readonly neither: number;
  /** `(both + neither) / instances`; null without instances. */
  readonly agreement: number | null;
  /** Agreement beyond chance; null without instances, or where chance alone gives full agreement. */
  readonly kappa: number | null;
}

/**
 * How far agents resolve the same instances, pair by pair: where they do, an ensemble has little to gain. Kappa is
 * (a − e) / (1 − e) with a the share of agreement and e the one that their rates give by chance. Source: J. Cohen, "A
 * Coefficient of Agreement for Nominal Scales", Educational and Psychological Measurement 20 (1960).
 */
export function agentAgreement({ agents, rows }: CandidateTable): AgentPair[] {
  return agents.flatMap((left, leftIndex) =>
    agents.slice(leftIndex + 1).map((right, offset) => {
      const rightIndex = leftIndex + 1 + offset;
      const graded = rows
        .map(({ candidates }) => [candidates[leftIndex]?.resolution, candidates[rightIndex]?.resolution] as const)
        .filter((pair) => pair.every((resolution) => resolution === 'resolved' || resolution === 'unresolved'));
      const count = (ofLeft: boolean, ofRight: boolean): number =>
        graded.filter(([a, b]) => (a === 'resolved') === ofLeft && (b === 'resolved') === ofRight).length;
      const both = count(true, true);
      const onlyLeft = count(true, false);
      const onlyRight = count(false, true);
      const neither = count(false, false);
      return {
        left,
        right,
        instances: graded.length,
        both,
        onlyLeft,
        onlyRight,
        neither,
        ...kappaOf({ both, onlyLeft, onlyRight, neither }),
      };
    }),
  );
}

function kappaOf({
  both,
  onlyLeft,
  onlyRight,
  neither,
}: Pick<AgentPair, 'both' | 'onlyLeft' | 'onlyRight' | 'neither'>): Pick<AgentPair, 'agreement' | 'kappa'> {
  const total = both + onlyLeft + onlyRight + neither;
  if (total === 0) return { agreement: null, kappa: null };
  const agreement = (both + neither) / total;
  const left = (both + onlyLeft) / total;
  const right = (both + onlyRight) / total;
  const chance = left * right + (1 - left) * (1 - right);
  return { agreement, kappa: chance === 1 ? null : (agreement - chance) / (1 - chance) };
}

/** What an agent adds that no other has. */
export interface UniqueSolves {
  readonly agent: string;
  readonly resolved: number;
  /** Instances that this agent alone resolves. */
  readonly unique: number;
}

/** Resolved and uniquely resolved instances of each agent. */
export function uniqueSolves({ agents, rows }: CandidateTable): UniqueSolves[] {
  return agents.map((agent, index) => {
    const own = rows.filter(({ candidates }) => candidates[index]?.resolution === 'resolved');
    const alone = own.filter(
      ({ candidates }) => candidates.filter(({ resolution }) => resolution === 'resolved').length === 1,
    );
    return { agent, resolved: own.length, unique: alone.length };
  });
}
