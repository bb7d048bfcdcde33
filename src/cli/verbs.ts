import type { Invocation } from './invocation.js';
import type { VerbName } from './option-spec.js';

/** A verb: how it reads in the help, and where its code is. */
export interface VerbSpec {
  readonly name: VerbName;
  readonly summary: string;
  /** More for the verb's own help; at most three lines. */
  readonly details: string;
  readonly argument?: { readonly name: string; readonly required: boolean; readonly description: string };
  /** A second one, which is required. */
  readonly second?: { readonly name: string; readonly description: string };
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
    name: 'bench',
    summary: 'choose one patch an instance of a dataset, and measure methods',
    details: 'The same command again goes on with what is missing; testgrad retry RUN runs errors again.',
    examples: ['testgrad bench --dataset verified --preds a=a.jsonl --preds b=b.jsonl --model NAME --dry-run'],
    load: async () => (await import('./verbs/bench.js')).bench,
  },
  {
    name: 'retry',
    summary: 'run again what ended with an error in a benchmark',
    details: '',
    argument: RUN,
    examples: ['testgrad retry last'],
    load: async () => (await import('./verbs/retry.js')).retry,
  },
  {
    name: 'pause',
    summary: 'begin nothing further in a run; what is in work is finished',
    details: '',
    argument: RUN,
    examples: ['testgrad pause last'],
    load: async () => (await import('./verbs/pause.js')).pause,
  },
  {
    name: 'resume',
    summary: 'let a paused run go on',
    details: 'With -w it changes how many instances of a benchmark are in work at a time.',
    argument: RUN,
    examples: ['testgrad resume last -w 8'],
    load: async () => (await import('./verbs/resume.js')).resume,
  },
  {
    name: 'compare',
    summary: 'put the methods of two benchmarks side by side, pair by pair',
    details: '',
    argument: RUN,
    second: { name: 'RUN2', description: 'the other one' },
    examples: ['testgrad compare 7f3k0a1b last'],
    load: async () => (await import('./verbs/compare.js')).compare,
  },
  {
    name: 'evaluate',
    summary: 'grade predictions as the official harness of SWE-bench does',
    details:
      "In the instances' official images, or with --local-repos in the sandbox of this machine. Writes the official\n" +
      'files. Exit code 20 when an instance has no verdict for a reason that is not its patch.',
    examples: [
      'testgrad evaluate --dataset verified --predictions preds.jsonl -w 8',
      'testgrad evaluate --dataset rows.jsonl --predictions gold --local-repos repos.yaml',
    ],
    load: async () => (await import('./verbs/evaluate.js')).evaluate,
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
    summary: 'print a finished decision again, or a step, test or candidate of it; of a benchmark its instances too',
    details:
      'RUN/yK shows the step of update K, RUN/TEST who passes and fails a test (the end of its name will do), and\nRUN/AGENT a candidate with its change.\nOf a benchmark, RUN shows the tables, RUN/INSTANCE what was selected and how every method ended, and\nRUN/INSTANCE/METHOD.nN[/PART] another method, or another number of agents.',
    argument: { ...RUN, name: 'RUN[/INSTANCE][/PART]' },
    examples: [
      'testgrad show last',
      'testgrad show 7f3k/y3',
      'testgrad show last/test_long_word',
      'testgrad show last/codex',
      'testgrad show 4f1c/django__django-12325/y3',
    ],
    load: async () => (await import('./verbs/show.js')).show,
  },
  {
    name: 'report',
    summary: 'a finished run as Markdown, one HTML file, JSON or CSV',
    details:
      'Markdown has at most 60 lines, made to be pasted into a pull request. RUN may also be the folder of a run,\n' +
      'or the folder or file of a benchmark (records.jsonl).',
    argument: RUN,
    examples: ['testgrad report last > comment.md', 'testgrad report last --format html --out report.html'],
    load: async () => (await import('./verbs/report.js')).report,
  },
  {
    name: 'view',
    summary: 'show runs in the browser of this machine, and follow those in work',
    details: 'Listens on 127.0.0.1 only, reads only, and answers whoever has the printed address. Ctrl+C ends it.',
    argument: { ...RUN, required: false },
    examples: ['testgrad view', 'testgrad view last --port 7788'],
    load: async () => (await import('./verbs/view.js')).view,
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
  {
    name: 'doctor',
    summary: 'check what a run needs, within five seconds',
    details:
      'Each line is ok, warn or fail, with what to do. The model gets one tiny call. Starts and changes nothing.',
    examples: ['testgrad doctor', 'testgrad doctor --model NAME --json'],
    load: async () => (await import('./verbs/doctor.js')).doctor,
  },
  {
    name: 'init',
    summary: 'write a commented testgrad.config.yaml for the repository',
    details: 'Asks nothing and overwrites nothing.',
    examples: ['testgrad init'],
    load: async () => (await import('./verbs/init.js')).init,
  },
  {
    name: 'config',
    summary: 'show every setting with its source, or the schema of the file',
    details: '',
    argument: { name: 'WHAT', required: true, description: 'show, or schema (a JSON Schema)' },
    examples: ['testgrad config show', 'testgrad config schema > testgrad.schema.json'],
    load: async () => (await import('./verbs/config.js')).config,
  },
  {
    name: 'clean',
    summary: 'list what could be removed; with --yes remove it',
    details:
      'Old runs, kept trees, copies, and what can be fetched again; never what a run in work uses, and never the store,\n' +
      'which holds what was paid.',
    examples: ['testgrad clean', 'testgrad clean --older-than 7 --yes'],
    load: async () => (await import('./verbs/clean.js')).clean,
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    details: '',
    argument: { name: 'SHELL', required: true, description: 'bash, zsh or fish' },
    examples: [
      'source <(testgrad completion bash)',
      'testgrad completion fish > ~/.config/fish/completions/testgrad.fish',
    ],
    load: async () => (await import('./verbs/completion.js')).completion,
  },
];
