/**
 * Kinds of work that are limited separately: `flow` decides and moves small data, `sandbox` uses a core for
 * as long as tests run, `mining` computes, `llm` mostly waits for a provider.
 */
export type QueueFamily = 'flow' | 'sandbox' | 'mining' | 'llm';

/** All families, `flow` first because its worker also runs the workflows. */
export const QUEUE_FAMILIES = ['flow', 'sandbox', 'mining', 'llm'] as const satisfies readonly QueueFamily[];

/** Which family runs which activity, by the activity's name. */
export const QUEUE_OF = {
  prepareInstance: 'sandbox',
  executeSuite: 'sandbox',
  applyEdit: 'sandbox',
  readRepository: 'flow',
  scoreSuite: 'flow',
  finishInstance: 'flow',
  releaseInstance: 'flow',
  mineMomentum: 'mining',
  optimizerTurn: 'llm',
  judgeRows: 'llm',
  checkerTurn: 'llm',
  askEnsemble: 'llm',
  pruneTests: 'llm',
  writeReproduction: 'llm',
  selectorTurn: 'llm',
  selectorCall: 'sandbox',
  runReproduction: 'sandbox',
  candidateKey: 'sandbox',
  scriptKeys: 'sandbox',
  regressionTests: 'flow',
  countRegressions: 'flow',
  finishMethod: 'flow',
  nextItems: 'flow',
  openItem: 'sandbox',
  keepResult: 'flow',
  keepError: 'flow',
  reconcileItems: 'flow',
  finishBenchmark: 'flow',
} as const satisfies Record<string, QueueFamily>;

/** Name of an activity that has a queue. */
export type QueuedActivity = keyof typeof QUEUE_OF;

/** Task queue default of the command line and of the worker. */
export const DEFAULT_TASK_QUEUE = 'testgrad';

/**
 * Temporal's name of a family's queue: the task queue itself for `flow`, else the task queue with the family
 * after a hyphen (`testgrad-sandbox`).
 */
export function queueName({ taskQueue, family }: { taskQueue: string; family: QueueFamily }): string {
  return family === 'flow' ? taskQueue : `${taskQueue}-${family}`;
}
