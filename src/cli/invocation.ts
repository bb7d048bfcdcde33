import type { EventStream } from './events.js';
import type { OptionValues } from './option-values.js';
import type { Terminal } from './terminal.js';

/** One call of a verb. */
export interface Invocation {
  readonly values: OptionValues;
  /** The verb's argument (a run, a code), when it was given. */
  readonly argument: string | undefined;
  /** The second argument, of a verb that takes two. */
  readonly second?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** Folder that relative paths start from. */
  readonly cwd: string;
  readonly terminal: Terminal;
  /** With --events: where a run tells how it goes. */
  readonly events?: EventStream;
}
