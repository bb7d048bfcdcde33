import type { RunContext } from '../activities/contract.js';
import type { ArtifactRef } from '../core/artifact.js';
import { BASE, type PreparedCandidate } from '../core/candidate.js';
import type { ColumnSpec } from '../core/loop-state.js';
import { addUsage, NO_USAGE, type Usage } from '../core/usage.js';
import type { AgentlessPorts } from '../methods/agentless/select.js';
import type { AugmentPorts } from '../methods/augment/select.js';
import type { TraePorts } from '../methods/trae/select.js';
import type { CallActivity } from './activities.js';
import { suiteSize } from './suite-size.js';

/** What a method's ports are made of. */
export interface MethodRun {
  readonly call: CallActivity;
  readonly run: RunContext;
  readonly prepared: ArtifactRef;
  /** y_0. */
  readonly suite: ArtifactRef;
  /** Its test files; undefined where an older worker did not count them. */
  readonly testFiles: number | undefined;
  /** Its tests on the base; undefined where an older worker did not count them. */
  readonly tests: number | undefined;
  readonly baseTreeId: string;
  readonly candidates: readonly PreparedCandidate[];
  /** Tokens that may be spent at all. */
  readonly maxTokens: number;
}

/** What all methods need from outside. */
export type MethodPorts = AugmentPorts &
  AgentlessPorts &
  TraePorts & {
    /** Tests that a candidate passes. */
    readonly passCount: (input: { readonly index: number }) => Promise<number>;
  };

/** The ports of all methods, each call an activity; what they spend is counted against the run's tokens. */
export function methodPorts(of: MethodRun): MethodPorts {
  const { call, run, prepared, suite, baseTreeId, candidates } = of;
  const subject = { ...run, prepared };
  let spent = NO_USAGE;
  const counted = <Answer extends { readonly usage: Usage }>(answer: Answer): Answer => {
    spent = addUsage({ left: spent, right: answer.usage });
    return answer;
  };
  const idOf = (index: number): string => candidates[index]?.id ?? '';
  const columnOf = (index: number | null): ColumnSpec => {
    const own = index === null ? undefined : candidates[index];
    return own?.kind === 'usable'
      ? { id: own.id, treeId: own.treeId, name: own.agent }
      : { id: BASE, treeId: baseTreeId, name: BASE };
  };
  const execute = async (column: ColumnSpec): Promise<ArtifactRef> => {
    const input = { ...subject, column, suite, files: null, rerun: 0 };
    const summary = `y0 on ${column.name}: ${suiteSize({ tests: of.tests, testFiles: of.testFiles, edited: 0 })}`;
    const { outcomes } = await call({ activity: 'executeSuite', input, summary });
    return outcomes;
  };
  const passing = async (column: ColumnSpec) => {
    const input = { ...subject, outcomes: await execute(column) };
    return call({ activity: 'regressionTests', input, summary: `tests that pass on ${column.name}` });
  };
  return {
    passCount: async ({ index }) => (await passing(columnOf(index))).count,
    ensemble: async ({ order }) =>
      counted(
        await call({
          activity: 'askEnsemble',
          input: { ...subject, order: order.map(idOf) },
          summary: `compare ${order.length} patches`,
        }),
      ),
    passingTests: () => passing(columnOf(null)),
    pruneTests: async ({ tests }) =>
      counted(await call({ activity: 'pruneTests', input: { ...subject, tests }, summary: 'prune the tests' })),
    countRegressions: async ({ index, tests }) => {
      const column = columnOf(index);
      const input = { ...subject, outcomes: await execute(column), tests };
      return call({ activity: 'countRegressions', input, summary: `regressions of ${column.name}` });
    },
    writeReproduction: async (sampling) =>
      counted(
        await call({
          activity: 'writeReproduction',
          input: { ...subject, ...sampling },
          summary: `reproduction test ${sampling.sample + 1}`,
        }),
      ),
    runReproduction: ({ script, index }) => {
      const column = columnOf(index);
      return call({
        activity: 'runReproduction',
        input: { ...subject, column, script },
        summary: `reproduction test on ${column.name}`,
      });
    },
    scriptKeys: ({ scripts }) =>
      call({ activity: 'scriptKeys', input: { ...subject, scripts }, summary: `compare ${scripts.length} tests` }),
    patchKey: ({ index }) =>
      call({
        activity: 'candidateKey',
        input: { ...subject, candidate: idOf(index), kind: 'ast' },
        summary: `key of ${columnOf(index).name}`,
      }),
    cleanedKey: async ({ index }) => {
      const { key } = await call({
        activity: 'candidateKey',
        input: { ...subject, candidate: idOf(index), kind: 'cleaned' },
        summary: `key of ${columnOf(index).name}`,
      });
      return key;
    },
    selectorTurn: async ({ shown, run: number, turn, conversation, results }) =>
      counted(
        await call({
          activity: 'selectorTurn',
          input: { ...subject, shown: shown.map(idOf), run: number, turn, conversation, results },
          summary: `run ${number}: turn ${turn}`,
        }),
      ),
    selectorCall: (input) =>
      call({ activity: 'selectorCall', input: { ...subject, ...input }, summary: `call ${input.callId}` }),
    tokensLeft: () => of.maxTokens - spent.inputTokens - spent.outputTokens,
  };
}
