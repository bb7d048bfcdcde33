/** The verbs of the command line. */
export type VerbName =
  | 'select'
  | 'matrix'
  | 'apply'
  | 'show'
  | 'report'
  | 'status'
  | 'watch'
  | 'cancel'
  | 'up'
  | 'down'
  | 'worker'
  | 'explain';

/** Where an option stands in a verb's help. */
export type OptionGroup = 'Inputs' | 'Tests' | 'Search' | 'Output' | 'Server';

/** One option: the source of the flag, of the environment variable, of the help and of the documentation. */
export interface OptionSpec {
  readonly flag: `--${string}`;
  readonly short?: `-${string}`;
  /** What the flag takes, as the help shows it; null for a switch. */
  readonly value: string | null;
  /** `texts`: may be given several times. `count` and `seconds` are whole numbers of at least `min`. */
  readonly type: 'text' | 'texts' | 'count' | 'seconds' | 'choice' | 'switch';
  readonly env?: string;
  /** Shown as the default; what is computed is described in words. */
  readonly default?: string;
  readonly choices?: readonly string[];
  /** Smallest number; default 1. */
  readonly min?: number;
  /** What it does, its unit and what follows from it. */
  readonly description: string;
  readonly group: OptionGroup;
  readonly verbs: readonly VerbName[];
}
