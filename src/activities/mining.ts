import type { FailedSuite, FailedUpdate, Momentum, StatementSequence } from '../core/failure-memory.js';
import { momentumOf } from '../core/momentum/momentum.js';
import { countTokens } from '../llm/tokens.js';
import { statementSequences } from '../source/statements.js';

/** What the miner is given; plain data, because it crosses a thread. */
export interface MiningTask {
  readonly memory: readonly FailedUpdate[];
  readonly minSupport: number;
  /** Pieces of the repository's testing knowledge that no failed update used, best first. */
  readonly steer: readonly string[];
  /** Names that the issue or the candidates' changes are about. */
  readonly focus: readonly string[];
}

/** Tests whose statements are remembered; a memory has some dozens. */
const TESTS_KEPT = 1000;

const known = new Map<string, Promise<readonly StatementSequence[]>>();

/** Parses the failed updates into statements and mines them. The same task gives the same momentum. */
export async function mine({ memory, minSupport, steer, focus }: MiningTask): Promise<Momentum> {
  return momentumOf({
    memory,
    suites: await suitesOf({ memory, abstractLiterals: false }),
    abstractedSuites: await suitesOf({ memory, abstractLiterals: true }),
    minSupport,
    steer,
    focus,
    countTokens,
  });
}

async function suitesOf({
  memory,
  abstractLiterals,
}: {
  memory: readonly FailedUpdate[];
  abstractLiterals: boolean;
}): Promise<FailedSuite[]> {
  return Promise.all(
    memory.map(async ({ step, tests }) => {
      const functions = await Promise.all(tests.map(({ source }) => statementsOf({ source, abstractLiterals })));
      return { step, functions: functions.flat() };
    }),
  );
}

/** All but the latest update of a memory were parsed the last time. */
function statementsOf(input: { source: string; abstractLiterals: boolean }): Promise<readonly StatementSequence[]> {
  const key = `${input.abstractLiterals ? 'abstracted' : 'literal'}\n${input.source}`;
  const sequences = known.get(key) ?? statementSequences(input);
  // Asked for last is thrown out last.
  known.delete(key);
  known.set(key, sequences);
  sequences.catch(() => known.delete(key));
  for (const oldest of known.keys()) {
    if (known.size <= TESTS_KEPT) break;
    known.delete(oldest);
  }
  return sequences;
}
