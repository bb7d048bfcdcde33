/** The verbs of the command line. */
export type VerbName =
  | 'select'
  | 'matrix'
  | 'apply'
  | 'show'
  | 'report'
  | 'view'
  | 'status'
  | 'watch'
  | 'cancel'
  | 'up'
  | 'down'
  | 'bench'
  | 'retry'
  | 'pause'
  | 'resume'
  | 'compare'
  | 'evaluate'
  | 'worker'
  | 'explain'
  | 'doctor'
  | 'init'
  | 'config'
  | 'clean'
  | 'completion';

/** Where an option stands in a verb's help. */
export type OptionGroup = 'Inputs' | 'Tests' | 'Search' | 'Output' | 'Server';

/** One option: the source of the flag, the environment variable, the key of the configuration file, help and reference. */
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
  /**
   * Whether the configuration file may set it, under the flag's name. Default: yes for the groups Tests, Search and
   * Server, which hold for every call; no for Inputs and Output, which belong to one.
   */
  readonly file?: boolean;
  /** True when every verb has it: it stands in the help of the program and not of each verb. */
  readonly common?: true;
  readonly verbs: readonly VerbName[];
}
