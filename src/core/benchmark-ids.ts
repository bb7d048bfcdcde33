/** Workflow id of a benchmark's item. */
export const itemWorkflowId = (runId: string): string => `testgrad/item/${runId}`;

/** Items in work at a time at most; a server keeps at most 2,000 children of a workflow, and their list travels with it. */
export const MAX_WIDTH = 200;
