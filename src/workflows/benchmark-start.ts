import { defineSearchAttributeKey, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { log, startChild, workflowInfo } from '@temporalio/workflow';
import type { ItemToStart } from '../activities/contract.js';
import { itemWorkflowId } from '../core/benchmark-ids.js';
import { SEARCH_ATTRIBUTES } from '../core/search-attributes.js';
import type { BenchmarkInput } from './benchmark.js';
import type { BenchmarkBoard } from './benchmark-board.js';
import { type BenchmarkItemInput, benchmarkItem } from './benchmark-item.js';

const runKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.run.name, SEARCH_ATTRIBUTES.run.type);
const instanceKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.instance.name, SEARCH_ATTRIBUTES.instance.type);

/**
 * Starts an item, or takes part in one that is in work already: that of another benchmark tells that one its end, and is
 * found by looking for it.
 */
export async function startItem({
  input,
  board,
  item,
  restarts,
}: {
  input: BenchmarkInput;
  board: BenchmarkBoard;
  item: ItemToStart;
  restarts: number;
}): Promise<void> {
  const { plan, attempt, taskQueue, upsertSearchAttributes } = input;
  const { index, runId, instanceId, arm, n } = item;
  // Before the start: its end may be told before the start is confirmed.
  board.begin({ index, runId, instanceId, arm, n, startedMs: Date.now(), restarts });
  const benchmark = workflowInfo().workflowId;
  const child: BenchmarkItemInput = {
    ...{ benchmark, plan, index, runId, attempt, taskQueue, upsertSearchAttributes },
    // Each phase of thousands of items would be a fifth of the server's work.
    attributeRhythm: 'step',
  };
  try {
    await startChild(benchmarkItem, {
      args: [child],
      workflowId: itemWorkflowId(runId),
      taskQueue,
      // Any other policy ends children in work when the history is continued as new.
      parentClosePolicy: 'ABANDON',
      cancellationType: 'ABANDON',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `${instanceId} · ${arm} · first ${n}`.slice(0, 180),
      ...(upsertSearchAttributes
        ? {
            typedSearchAttributes: [
              { key: runKey, value: runId },
              { key: instanceKey, value: instanceId },
            ],
          }
        : {}),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    log.info('The item is in work already.', { runId });
  }
}
