/** Where a run stands; the answer of the workflow's `progress` query and the source of every live display. */
export interface Progress {
  readonly phase: Phase;
  /** One line: what is being done or waited for. */
  readonly message: string;
  /** t of the suite in work; 0 is the suite as the repository has it. */
  readonly step: number;
  readonly steps: number;
  /** Optimizer turns so far in this step. */
  readonly turn: number;
  /** Usable candidates by id and agent, in the order given. */
  readonly candidates: readonly { readonly id: string; readonly agent: string }[];
  readonly leaders: readonly string[];
  readonly rows: number;
  readonly differential: number;
  readonly evidence: number;
  readonly flaky: number;
  readonly failedUpdates: number;
  readonly executedFiles: number;
  readonly reusedFiles: number;
  readonly tokens: number;
  readonly usd: number | null;
  readonly possibleDuplicates: number;
  readonly paused: boolean;
}

export type Phase = 'prepare' | 'forward' | 'judge' | 'momentum' | 'backward' | 'checker' | 'finish' | 'done';
