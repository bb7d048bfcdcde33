import { safeJson } from '../report/safe-text.js';

/** Where output goes. Results go to `out`, everything else to `note`, so that pipes hold results only. */
export interface Terminal {
  /** A result, as text; a line break is added when it lacks one. */
  out(text: string): void;
  /** The one document of `--json`. */
  json(document: unknown): void;
  /** A line for people, on standard error. */
  note(text: string): void;
  /** Columns of results; 80 when unknown, at most 120. */
  readonly columns: number;
  readonly colour: boolean;
  /** True when standard error is a terminal that a live display may rewrite. */
  readonly live: boolean;
}

const withBreak = (text: string): string => (text.endsWith('\n') ? text : `${text}\n`);

/** NO_COLOR and FORCE_COLOR are respected; without them colour needs a terminal. */
function wantsColour({ env, stream }: { env: NodeJS.ProcessEnv; stream: NodeJS.WriteStream }): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** The terminal of this process. */
export function processTerminal({ env }: { env: NodeJS.ProcessEnv }): Terminal {
  const columns = process.stdout.columns ?? process.stderr.columns ?? 80;
  return {
    out: (text) => void process.stdout.write(withBreak(text)),
    json: (document) => void process.stdout.write(`${safeJson(document)}\n`),
    note: (text) => void process.stderr.write(withBreak(text)),
    columns: Math.max(40, Math.min(columns, 120)),
    colour: wantsColour({ env, stream: process.stdout }),
    live: process.stderr.isTTY === true && env.TERM !== 'dumb' && env.CI === undefined,
  };
}
