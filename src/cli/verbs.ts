import type { Invocation } from './invocation.js';
import type { VerbName } from './option-spec.js';

/** A verb: how it reads in the help, and where its code is. */
export interface VerbSpec {
  readonly name: VerbName;
  readonly summary: string;
  /** More for the verb's own help; at most three lines. */
  readonly details: string;
  readonly argument?: { readonly name: string; readonly required: boolean; readonly description: string };
  readonly examples: readonly string[];
  /** Loads the verb when it is used, so that the help does not wait for it. Resolves to the exit code. */
  readonly load: () => Promise<(invocation: Invocation) => Promise<number>>;
}

const RUN = { name: 'RUN', required: true, description: 'run id, a unique beginning of it, or last' } as const;

/** All verbs in the order of the help. */
export const VERBS: readonly VerbSpec[] = [
  {
    name: 'select',
    summary: 'choose one patch out of several by a test that tells them apart',
    details:
      'Without a Temporal server it brings up a local one, which outlives the command. Ctrl+C detaches.\n' +
      'The same command again attaches, resumes, or prints the finished result without asking a model.',
    examples: [
      'testgrad select --issue issue.md --patch a.diff --patch b.diff --model NAME',
      'testgrad select --issue issue.md --branch claude=fix/claude --branch codex=fix/codex --json',
    ],
    load: async () => (await import('./verbs/select.js')).select,
  },
  {
    name: 'matrix',
    summary: 'run the tests as they are on every candidate, without a model',
    details: 'Takes the inputs of select. What it has run is not run again by select.',
    examples: ['testgrad matrix --patch a.diff --patch b.diff --test-file tests/test_cache.py'],
    load: async () => (await import('./verbs/matrix.js')).matrix,
  },
  {
    name: 'apply',
    summary: "put a run's winner (and its deciding test) into the working tree",
    details: 'The patch is applied whole or not at all; nothing is committed.',
    argument: RUN,
    examples: ['testgrad apply last --preview', 'testgrad apply 7f3k0a1b --test'],
    load: async () => (await import('./verbs/apply.js')).apply,
  },
  {
    name: 'show',
    summary: 'print a finished decision again',
    details: '',
    argument: RUN,
    examples: ['testgrad show last', 'testgrad show 7f3k --json'],
    load: async () => (await import('./verbs/show.js')).show,
  },
  {
    name: 'report',
    summary: 'print the Markdown report of a finished run',
    details: 'At most 60 lines, made to be pasted into a pull request.',
    argument: RUN,
    examples: ['testgrad report last > comment.md'],
    load: async () => (await import('./verbs/report.js')).report,
  },
  {
    name: 'status',
    summary: 'list runs, or say where one stands',
    details: '',
    argument: { ...RUN, required: false },
    examples: ['testgrad status', 'testgrad status last --json'],
    load: async () => (await import('./verbs/status.js')).status,
  },
  {
    name: 'watch',
    summary: 'attach to a run and print its result',
    details: 'Ctrl+C detaches again; the run goes on.',
    argument: RUN,
    examples: ['testgrad watch last'],
    load: async () => (await import('./verbs/watch.js')).watch,
  },
  {
    name: 'cancel',
    summary: 'stop a run and remove its sandboxes',
    details: 'What was computed stays; the same select goes on from there.',
    argument: RUN,
    examples: ['testgrad cancel 7f3k0a1b'],
    load: async () => (await import('./verbs/cancel.js')).cancel,
  },
  {
    name: 'up',
    summary: 'start the local Temporal server and a worker',
    details: 'select does this by itself when no server is configured.',
    examples: ['testgrad up'],
    load: async () => (await import('./verbs/up.js')).up,
  },
  {
    name: 'down',
    summary: 'stop the local server and its workers',
    details: 'Runs that are in work go on with the next up.',
    examples: ['testgrad down'],
    load: async () => (await import('./verbs/down.js')).down,
  },
  {
    name: 'worker',
    summary: 'run a worker in this process',
    details: 'On SIGTERM it finishes what it can within a minute. It reads keys from its own environment.',
    examples: ['TEMPORAL_ADDRESS=temporal:7233 testgrad worker --task-queue testgrad'],
    load: async () => (await import('./verbs/worker.js')).worker,
  },
  {
    name: 'explain',
    summary: 'explain an error code',
    details: '',
    argument: { name: 'CODE', required: false, description: 'TG-I01 …; all of them without one' },
    examples: ['testgrad explain TG-S08'],
    load: async () => (await import('./verbs/explain.js')).explain,
  },
];
