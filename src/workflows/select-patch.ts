import {
  allHandlersFinished,
  condition,
  continueAsNew,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunContext } from '../activities/contract.js';
import type { ArtifactRef } from '../core/artifact.js';
import { BASE } from '../core/candidate.js';
import type { Decision } from '../core/decision.js';
import { type ColumnSpec, type LoopEnd, type LoopState, representatives, stepsSoFar } from '../core/loop-state.js';
import type { Progress } from '../core/progress.js';
import type { Settings } from '../core/settings.js';
import { activityCaller, type CallActivity } from './activities.js';
import { check, decisionOf, type Verdict } from './decide.js';
import { improve } from './improve.js';
import { type LoopInput, loopEnd, type ScoredSuite } from './loop.js';
import { measure } from './measure.js';
import { type KnownWishes, listenToOperators } from './operator.js';
import { type AttributeRhythm, type ProgressBoard, progressBoard, progressOf } from './progress.js';
import { release } from './release.js';
import { searchAttributePairs } from './search-attributes.js';

export interface SelectPatchInput {
  readonly runId: string;
  /** An InstanceSpec. */
  readonly instance: ArtifactRef;
  /** Name of the instance, for people. */
  readonly name: string;
  readonly settings: Settings;
  /** Queue of the workers; families are derived from it. */
  readonly taskQueue: string;
  /** False where the namespace lacks the search attributes. */
  readonly upsertSearchAttributes: boolean;
  /** At each phase by default. */
  readonly attributeRhythm?: AttributeRhythm;
  /** What the loop knew when the history was continued as new. */
  readonly carried?: {
    readonly scored: ScoredSuite;
    readonly baseTreeId: string;
    readonly progress: Progress;
    readonly wishes: KnownWishes;
  };
}

/**
 * Selects one patch out of N by the loop of the method: forward pass, loss, momentum and backward pass, at most
 * `settings.steps` times, then the checker once.
 *
 * Ids come from inputs; the result is complete and small, so that a closed workflow reads without a worker.
 */
export function selectPatch(input: SelectPatchInput): Promise<Decision> {
  return runSelection({ input, goOn: (next) => continueAsNew<typeof selectPatch>(next) });
}

/** {@link selectPatch} as a part of another workflow, which says how its history is continued as new. */
export async function runSelection({
  input,
  goOn,
}: {
  input: SelectPatchInput;
  goOn: (next: SelectPatchInput) => Promise<never>;
}): Promise<Decision> {
  const { runId, instance, settings, taskQueue } = input;
  const run: RunContext = { runId, instance, settings };
  const call = activityCaller({ taskQueue });
  const board = progressBoard({
    settings,
    upsert: input.upsertSearchAttributes,
    rhythm: input.attributeRhythm,
    known: input.carried?.progress,
  });
  let latest: LoopState | null = input.carried?.scored.state ?? null;
  const wishes = listenToOperators({
    board,
    known: input.carried?.wishes ?? { maxTokens: settings.maxTokens, stop: false },
    latest: () => ({
      matrix: latest?.matrix ?? null,
      momentum: latest?.momentum ?? null,
      steps: latest === null ? null : stepsSoFar(latest),
    }),
  });

  let goesOn = false;
  try {
    const start = input.carried === undefined ? await prepare({ call, run, board }) : null;
    const baseTreeId = start?.baseTreeId ?? input.carried?.baseTreeId ?? '';
    const known = start?.state ?? input.carried?.scored.state;
    if (known === undefined) throw new Error('A run starts from its input or from what was carried over.');
    const columns = columnsOf({ state: known, baseTreeId });
    board.tell({ steps: known.steps });
    const loop: LoopInput = { call, run, columns, board, wishes };
    showCandidates({ board, state: known });

    let ended: { state: LoopState; end: LoopEnd; verdict: Verdict };
    const forced = withoutLoop(known);
    if (forced !== null) {
      ended = { state: known, end: 'not-needed', verdict: forced };
    } else {
      let scored = input.carried?.scored ?? (await measure({ loop, state: known }));
      latest = scored.state;
      let end = loopEnd({ loop, scored });
      while (end === null) {
        await wishes.whilePaused();
        // It may have been told to stop while it was held.
        end = loopEnd({ loop, scored });
        if (end !== null) break;
        const improved = await improve({ loop, scored });
        scored = improved.scored;
        latest = scored.state;
        end = improved.kind === 'end' ? improved.end : loopEnd({ loop, scored });
        if (end === null && workflowInfo().continueAsNewSuggested) {
          await condition(allHandlersFinished);
          // Nothing is waited for from here on: what an operator was promised in between would be lost.
          goesOn = true;
          const carried = { scored, baseTreeId, progress: board.current(), wishes: wishes.known() };
          await goOn({ ...input, carried });
        }
      }
      const checked = await check({ loop, scored, end });
      ended = { state: checked.state, end, verdict: checked.verdict };
    }
    latest = ended.state;

    const decision = decisionOf({ runId, instance, name: input.name, ...ended });
    board.update({ phase: 'finish', message: 'Writing the result', ...progressOf({ state: ended.state }) });
    await call({
      activity: 'finishInstance',
      input: { ...run, decision, trail: ended.state.trail, prepared: ended.state.prepared },
      summary: `result: ${decision.selected ?? 'none'} (${decision.kind})`,
    });
    board.update({ phase: 'done', message: `Selected ${decision.selected ?? 'none'} (${decision.kind})` });
    if (input.upsertSearchAttributes) {
      upsertSearchAttributes(searchAttributePairs({ progress: board.current(), decision: decision.kind }));
    }
    await condition(allHandlersFinished);
    return decision;
  } finally {
    if (!goesOn) await release({ call, run });
  }
}

/** Prepares the instance and starts the loop's state at y_0. */
export async function prepare({
  call,
  run,
  board,
}: {
  call: CallActivity;
  run: RunContext;
  board: ProgressBoard;
}): Promise<{ state: LoopState; baseTreeId: string }> {
  board.update({ phase: 'prepare', message: 'Applying the candidates, running the tests of the base' });
  const prepared = await call({ activity: 'prepareInstance', input: run, summary: 'prepare the instance' });
  const state: LoopState = {
    prepared: prepared.prepared,
    candidates: prepared.candidates,
    warnings: prepared.warnings,
    step: 0,
    suite: prepared.suite,
    testFiles: prepared.testFiles,
    tests: prepared.tests,
    matrix: null,
    judgements: null,
    earlier: [],
    leaders: representatives(prepared.candidates).map(({ id }) => id),
    memory: [],
    momentum: null,
    failedInLead: 0,
    steps: [],
    usage: [],
    trail: { suites: [], matrices: [], momenta: [], conversations: [] },
  };
  return { state, baseTreeId: prepared.baseTreeId };
}

/** One column for each class of identical trees, and the base. */
export function columnsOf({ state, baseTreeId }: { state: LoopState; baseTreeId: string }): ColumnSpec[] {
  const columns = representatives(state.candidates).map(({ id, treeId, agent }) => ({ id, treeId, name: agent }));
  return [...columns, { id: BASE, treeId: baseTreeId, name: BASE }];
}

function showCandidates({ board, state }: { board: ProgressBoard; state: LoopState }): void {
  const usable = state.candidates.filter((each) => each.kind === 'usable');
  board.update({ candidates: usable.map(({ id, agent }) => ({ id, agent })), ...progressOf({ state }) });
}

/** The verdict where there is nothing to separate: no LLM call is made. */
function withoutLoop(state: LoopState): Verdict | null {
  const usable = state.candidates.filter((each) => each.kind === 'usable');
  const classes = representatives(state.candidates);
  const [first] = classes;
  const rule = { decidingTests: [], chosenBy: 'rule' } as const;
  if (first === undefined) {
    return { ...rule, kind: 'no-candidate', selectedId: null, reason: 'No candidate is usable.' };
  }
  if (classes.length > 1) return null;
  if (usable.length === 1) {
    return { ...rule, kind: 'single', selectedId: first.id, reason: 'Only one candidate is usable.' };
  }
  return { ...rule, kind: 'equivalent', selectedId: first.id, reason: 'All usable candidates make the same change.' };
}
