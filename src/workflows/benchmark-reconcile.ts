import { itemWorkflowId } from '../core/benchmark-ids.js';
import type { ItemOutcome } from '../core/benchmark-progress.js';
import type { CallActivity } from './activities.js';
import type { BenchmarkInput } from './benchmark.js';
import type { BenchmarkBoard } from './benchmark-board.js';
import { startItem } from './benchmark-start.js';

/** Times that an item is started again which ended without a word: it was terminated, or its server forgot it. */
const MAX_RESTARTS = 1;
const AT_ONCE = 100;

/** Looks for items in work whose end was not told: they were ended by hand, or belong to another benchmark as well. */
export async function reconcileRunning({
  input,
  board,
  call,
}: {
  input: BenchmarkInput;
  board: BenchmarkBoard;
  call: CallActivity;
}): Promise<void> {
  const { attempt } = input;
  const asked = board.current().running.slice(0, AT_ONCE);
  const states = await call({
    activity: 'reconcileItems',
    input: { attempt, items: asked.map(({ runId }) => ({ runId, workflowId: itemWorkflowId(runId) })) },
    summary: `look for ${asked.length} items in work`,
  });
  for (const state of states) {
    // Its end may have been told meanwhile.
    board.takeInbox();
    const item = board.current().running.find(({ runId }) => runId === state.runId);
    if (item === undefined || state.kind === 'running') continue;
    if (state.kind === 'ended') board.settle({ runId: item.runId, outcome: state.outcome });
    else if (item.restarts < MAX_RESTARTS) {
      board.drop(item.runId);
      await startItem({ input, board, item, restarts: item.restarts + 1 });
    } else {
      const message = 'Its workflow ended twice without a result: it was terminated, or lost its server.';
      const outcome: ItemOutcome = await call({
        activity: 'keepError',
        input: { runId: item.runId, attempt, code: 'TG-R06', message },
        summary: `error of ${item.instanceId}`,
      });
      board.settle({ runId: item.runId, outcome });
    }
  }
}
