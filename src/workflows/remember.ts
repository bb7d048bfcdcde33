import { counted } from '../core/counted.js';
import type { LoopState } from '../core/loop-state.js';
import type { LoopInput } from './loop.js';
import { progressOf } from './progress.js';

/** Stage 3 of the method: the failed update goes into the memory, and the memory is mined for m_t. */
export async function remember({
  loop,
  state,
  kind,
  reason,
  direction,
}: {
  loop: LoopInput;
  state: LoopState;
  kind: 'uniform' | 'not-applied' | 'no-update';
  reason: string;
  direction: string;
}): Promise<LoopState> {
  loop.board.update({ phase: 'momentum', message: 'Mining the failed updates', ...progressOf({ state }) });
  const mined = await loop.call({
    activity: 'mineMomentum',
    input: {
      ...loop.run,
      prepared: state.prepared,
      step: state.step,
      kind,
      reason,
      direction,
      suite: kind === 'uniform' ? state.suite : null,
      matrix: state.matrix,
      memory: state.memory,
    },
    summary: `m${state.step}: ${counted(state.memory.length + 1, 'failed update')}`,
  });
  const steps = state.steps.map((each) =>
    each.step === state.step ? { ...each, momentumTokens: mined.tokens, rawMemoryTokens: mined.rawTokens } : each,
  );
  const next: LoopState = {
    ...state,
    steps,
    memory: mined.memory,
    momentum: mined.momentum,
    failedInLead: state.failedInLead + 1,
    trail: { ...state.trail, momenta: [...state.trail.momenta, mined.momentum] },
  };
  loop.board.tell({ steps: next.steps });
  loop.board.update(progressOf({ state: next }));
  return next;
}
