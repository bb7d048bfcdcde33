/** Temporal's types of a search attribute that are used here. */
export type SearchAttributeType = 'KEYWORD' | 'INT' | 'DOUBLE';

/** Name and type of a search attribute. */
export interface SearchAttribute {
  readonly name: string;
  readonly type: SearchAttributeType;
}

/**
 * What a run can be searched by in Temporal. All must be registered in the namespace before the first run: a
 * workflow that sets an unregistered attribute stalls for ever. A namespace of a server with SQL visibility holds
 * at most 10 keywords, 3 ints and 3 doubles.
 */
export const SEARCH_ATTRIBUTES = {
  /** Run id. */
  run: { name: 'TestgradRun', type: 'KEYWORD' },
  /** Instance id. */
  instance: { name: 'TestgradInstance', type: 'KEYWORD' },
  /** Name of the repository. */
  repository: { name: 'TestgradRepository', type: 'KEYWORD' },
  /** What the run is doing now. */
  phase: { name: 'TestgradPhase', type: 'KEYWORD' },
  /** How it ended. */
  decision: { name: 'TestgradDecision', type: 'KEYWORD' },
  /** Model of the optimizer. */
  model: { name: 'TestgradModel', type: 'KEYWORD' },
  /** Iterations so far. */
  iteration: { name: 'TestgradIteration', type: 'INT' },
  /** Tokens so far, input and output. */
  tokens: { name: 'TestgradTokens', type: 'INT' },
  /** Cost so far, US dollars. */
  costUsd: { name: 'TestgradCostUsd', type: 'DOUBLE' },
} as const satisfies Record<string, SearchAttribute>;
