import type { ArtifactRef } from '../../core/artifact.js';
import { addUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import type { MethodEvidence } from '../method.js';
import { runSelector, type SelectorPorts, type SelectorRun } from './vote.js';

/** How a group votes. */
export interface VoteOptions {
  /** Runs of the selector that vote; 1 for none. The published code always takes 5, whatever the candidates. */
  readonly votes: number;
  /** Turns of one run; published: 50. */
  readonly maxTurns: number;
  /** Runs that may break in a group, the last of which ends the voting; published: 3. */
  readonly maxBroken: number;
}

/** What a group of candidates came to. */
export interface GroupDecision {
  readonly index: number;
  /** Runs of the selector, broken ones included. */
  readonly runs: number;
  readonly usage: Usage;
  readonly evidence: readonly MethodEvidence[];
  readonly conversations: readonly ArtifactRef[];
  readonly reason: string;
  /** Why the first candidate was taken though nothing chose it; null when it was chosen. */
  readonly fallback: string | null;
}

/** A run that voted, for the candidate with this index. */
interface Vote {
  readonly index: number;
  /** Why it counts for the first candidate; null when the selector named it. */
  readonly byDefault: string | null;
  readonly run: number;
}

/**
 * Has the selector run until more than half of all votes are for one candidate, or all votes are there. The most votes
 * win, and a tie the candidate that was voted for first. `shown` holds one candidate at least.
 */
export async function decideGroup({
  shown,
  runsBefore,
  ports,
  options,
}: {
  shown: readonly number[];
  /** Runs of the selector so far, so that none is mistaken for another. */
  runsBefore: number;
  ports: SelectorPorts;
  options: VoteOptions;
}): Promise<GroupDecision> {
  const [first, second] = shown;
  if (first === undefined) throw new RangeError('a group to decide has no candidate');
  if (second === undefined) {
    const reason = 'Pruning and leaving out duplicates left one candidate.';
    return { index: first, runs: 0, usage: NO_USAGE, evidence: [], conversations: [], reason, fallback: null };
  }
  const runs: SelectorRun[] = [];
  const votes: Vote[] = [];
  const broken = () => runs.filter(({ kind }) => kind === 'broken').length;
  while (votes.length < options.votes && broken() < options.maxBroken && !isDecided({ votes, of: options.votes })) {
    const run = runsBefore + runs.length + 1;
    const ended = await runSelector({ shown, run, maxTurns: options.maxTurns, ports });
    runs.push(ended);
    if (ended.kind === 'spent') break;
    if (ended.kind === 'choice') votes.push({ index: shown[ended.number - 1] ?? first, byDefault: null, run });
    if (ended.kind === 'first') votes.push({ index: first, byDefault: ended.why, run });
  }
  const winner = mostVoted(votes);
  return {
    index: winner ?? first,
    runs: runs.length,
    usage: runs.reduce((sum, { usage }) => addUsage({ left: sum, right: usage }), NO_USAGE),
    evidence: votes.map(({ index, byDefault, run }) => ({
      index,
      fact: `got the vote of run ${run}${byDefault === null ? '' : ` by default: ${byDefault}`}`,
    })),
    conversations: runs.flatMap(({ conversation }) => conversation ?? []),
    ...wordsOf({ votes, winner, shown, last: runs.at(-1) }),
  };
}

function wordsOf({
  votes,
  winner,
  shown,
  last,
}: {
  votes: readonly Vote[];
  winner: number | null;
  shown: readonly number[];
  last: SelectorRun | undefined;
}): Pick<GroupDecision, 'reason' | 'fallback'> {
  if (winner === null) {
    const reason = last?.kind === 'spent' ? 'The tokens were spent before a vote.' : 'Every run of the selector broke.';
    return { reason, fallback: `${reason} The first candidate left was taken.` };
  }
  const own = votes.filter(({ index }) => index === winner);
  const reason = `${own.length} of ${votes.length} votes of the selector among ${shown.length} candidates.`;
  const whys = own.map(({ byDefault }) => byDefault);
  if (whys.includes(null)) return { reason, fallback: null };
  return { reason, fallback: `No vote names it; it comes first: ${[...new Set(whys)].join('; ')}.` };
}

function isDecided({ votes, of }: { votes: readonly Vote[]; of: number }): boolean {
  return votes.some(({ index }) => votesFor({ votes, index }) > of / 2);
}

function mostVoted(votes: readonly Vote[]): number | null {
  let best: number | null = null;
  for (const { index } of votes) {
    if (best === null || votesFor({ votes, index }) > votesFor({ votes, index: best })) best = index;
  }
  return best;
}

const votesFor = ({ votes, index }: { votes: readonly Vote[]; index: number }): number =>
  votes.filter((vote) => vote.index === index).length;
