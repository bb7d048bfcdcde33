/** Why an update left the suite non-differential. */
export type FailureKind = 'uniform' | 'not-applied' | 'could-not-run' | 'no-update';

/** One failed update in the failure memory M. Only tests that it created or changed, never untouched ones. */
export interface FailedUpdate {
  readonly step: number;
  readonly kind: FailureKind;
  /** Why it was not applied or could not run; for a uniform one, how it ended ("passed on all 5"). */
  readonly reason: string;
  /** The direction as the optimizer named it. */
  readonly direction: string;
  /** Post-edit test functions. */
  readonly tests: readonly { readonly name: string; readonly file: string; readonly source: string }[];
  /** Qualified names of deleted tests. */
  readonly deleted: readonly string[];
}

/** One function of a failed update as a sequence of normalised statements. */
export interface StatementSequence {
  readonly name: string;
  /** Normalised keys, compared for equality. */
  readonly keys: readonly string[];
  /** Source text of each statement, one line, for rendering. */
  readonly texts: readonly string[];
}

/** A failed update, parsed. */
export interface FailedSuite {
  readonly step: number;
  readonly functions: readonly StatementSequence[];
}

/** A maximal block of consecutive statements that at least β failed updates share. */
export interface FailurePattern {
  readonly keys: readonly string[];
  /** Source text of the newest suite that holds the block. */
  readonly texts: readonly string[];
  /** Failed updates that hold it. */
  readonly support: number;
}

/** m_t. Stored as an artifact; `text` goes to the optimizer. */
export interface Momentum {
  readonly schema: 'testgrad.momentum/1';
  readonly failedUpdates: number;
  readonly minSupport: number;
  readonly patterns: readonly FailurePattern[];
  /** True when literals had to be abstracted to find a common block. */
  readonly abstractedLiterals: boolean;
  readonly complete: boolean;
  /** At most 150 tokens: retained core, dead end with count, steer; empty before the first failed update. */
  readonly text: string;
  readonly tokens: number;
  /** Tokens of the raw memory in its place. */
  readonly rawTokens: number;
}
