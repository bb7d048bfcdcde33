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

const RUNS = ['select', 'matrix'] as const satisfies readonly VerbName[];
const ALL: readonly VerbName[] = [
  ...RUNS,
  ...(['apply', 'show', 'report', 'status', 'watch', 'cancel', 'up', 'down', 'worker', 'explain'] as const),
];
const FINISHED: readonly VerbName[] = ['show', 'report'];

/** Every option of every verb. The order is the order in the help. */
export const OPTIONS = {
  repo: {
    flag: '--repo',
    value: 'DIR',
    type: 'text',
    default: 'the current folder',
    description: 'git repository; its working tree is only read',
    group: 'Inputs',
    verbs: RUNS,
  },
  into: {
    flag: '--into',
    value: 'DIR',
    type: 'text',
    default: 'the repository of the run',
    description: 'working tree to change',
    group: 'Inputs',
    verbs: ['apply'],
  },
  issue: {
    flag: '--issue',
    value: 'FILE',
    type: 'text',
    description: 'text of the issue, - for standard input; select needs it',
    group: 'Inputs',
    verbs: RUNS,
  },
  patch: {
    flag: '--patch',
    value: '[NAME=]FILE',
    type: 'texts',
    description: 'a candidate as a diff against the base; repeat',
    group: 'Inputs',
    verbs: RUNS,
  },
  branch: {
    flag: '--branch',
    value: '[NAME=]REF',
    type: 'texts',
    description: 'a candidate as a branch or commit; repeat',
    group: 'Inputs',
    verbs: RUNS,
  },
  base: {
    flag: '--base',
    value: 'REF',
    type: 'text',
    default: 'where the branches left, or HEAD',
    description: 'commit the candidates start from',
    group: 'Inputs',
    verbs: RUNS,
  },
  allowSingle: {
    flag: '--allow-single',
    value: null,
    type: 'switch',
    description: 'accept a single candidate: it is tested, not compared',
    group: 'Inputs',
    verbs: RUNS,
  },
  testCommand: {
    flag: '--test-cmd',
    value: 'CMD',
    type: 'text',
    default: 'python -m pytest',
    description: 'starts the tests; not by a shell',
    group: 'Tests',
    verbs: RUNS,
  },
  python: {
    flag: '--python',
    value: 'PATH',
    type: 'text',
    default: '.venv, $VIRTUAL_ENV, python3',
    description: 'interpreter with the requirements',
    group: 'Tests',
    verbs: RUNS,
  },
  pythonPath: {
    flag: '--python-path',
    value: 'DIR',
    type: 'texts',
    default: 'src with a package in it, else .',
    description: 'import root in the repository; repeat',
    group: 'Tests',
    verbs: RUNS,
  },
  setup: {
    flag: '--setup',
    value: 'CMD',
    type: 'text',
    description: 'run once in each candidate before its tests, not by a shell',
    group: 'Tests',
    verbs: RUNS,
  },
  testFile: {
    flag: '--test-file',
    value: 'PATH',
    type: 'texts',
    default: 'by what candidates touch',
    description: 'test file to start with; repeat',
    group: 'Tests',
    verbs: RUNS,
  },
  timeout: {
    flag: '--timeout',
    value: 'SECONDS',
    type: 'seconds',
    default: '300',
    description: 'for one test file on one candidate, then it is killed',
    group: 'Tests',
    verbs: RUNS,
  },
  reruns: {
    flag: '--reruns',
    value: 'N',
    type: 'count',
    default: '1',
    description: 'runs that must confirm a separating row',
    group: 'Tests',
    verbs: RUNS,
  },
  sandbox: {
    flag: '--sandbox',
    value: 'KIND',
    type: 'choice',
    choices: ['bubblewrap', 'none'],
    default: 'bubblewrap',
    description: 'none runs candidates unprotected on this machine',
    group: 'Tests',
    verbs: RUNS,
  },
  model: {
    flag: '--model',
    value: 'NAME',
    type: 'text',
    env: 'TESTGRAD_MODEL',
    description: 'model of the optimizer, as the endpoint names it',
    group: 'Search',
    verbs: ['select'],
  },
  checkerModel: {
    flag: '--checker-model',
    value: 'NAME',
    type: 'text',
    env: 'TESTGRAD_CHECKER_MODEL',
    default: 'the same',
    description: 'model of the checker',
    group: 'Search',
    verbs: ['select'],
  },
  preset: {
    flag: '--preset',
    value: 'NAME',
    type: 'choice',
    choices: ['paper', 'balanced'],
    default: 'balanced',
    description: 'paper: the published method, no extension',
    group: 'Search',
    verbs: ['select'],
  },
  steps: {
    flag: '--steps',
    value: 'N',
    type: 'count',
    min: 0,
    default: '8',
    description: 'updates of the tests at most; 0 only runs what is there',
    group: 'Search',
    verbs: ['select'],
  },
  minSupport: {
    flag: '--min-support',
    value: 'N',
    type: 'count',
    default: '2',
    description: 'failed updates that must share a pattern to keep it',
    group: 'Search',
    verbs: ['select'],
  },
  seed: {
    flag: '--seed',
    value: 'N',
    type: 'count',
    min: 0,
    default: '1',
    description: 'order in which candidates are presented to the model',
    group: 'Search',
    verbs: RUNS,
  },
  maxTokens: {
    flag: '--max-tokens',
    value: 'N',
    type: 'count',
    default: '3000000',
    description: 'tokens of the whole run; then the checker decides',
    group: 'Search',
    verbs: ['select'],
  },
  detach: {
    flag: '--detach',
    value: null,
    type: 'switch',
    description: 'start the run, print its id and return',
    group: 'Output',
    verbs: ['select'],
  },
  requireDifferential: {
    flag: '--require-differential',
    value: null,
    type: 'switch',
    description: 'exit 10 or 11 when no test decided',
    group: 'Output',
    verbs: ['select', 'watch', 'show'],
  },
  test: {
    flag: '--test',
    value: null,
    type: 'switch',
    description: 'also apply the deciding test',
    group: 'Output',
    verbs: ['apply'],
  },
  preview: {
    flag: '--preview',
    value: null,
    type: 'switch',
    description: 'print the diff and whether it applies; change nothing',
    group: 'Output',
    verbs: ['apply'],
  },
  write: {
    flag: '--write',
    value: 'DIR',
    type: 'text',
    description: 'also write the run folder (report, decision, steps) there',
    group: 'Output',
    verbs: ['select', ...FINISHED],
  },
  json: {
    flag: '--json',
    value: null,
    type: 'switch',
    description: 'one JSON document on stdout, all else on stderr',
    group: 'Output',
    verbs: ALL.filter((verb) => verb !== 'worker'),
  },
  verbose: {
    flag: '--verbose',
    short: '-v',
    value: null,
    type: 'switch',
    description: 'stack traces and causes with errors',
    group: 'Output',
    verbs: ALL,
  },
  taskQueue: {
    flag: '--task-queue',
    value: 'NAME',
    type: 'text',
    env: 'TESTGRAD_TASK_QUEUE',
    default: 'testgrad; local: by model',
    description: 'queue of the workers',
    group: 'Server',
    verbs: [...RUNS, 'worker'],
  },
  home: {
    flag: '--home',
    value: 'DIR',
    type: 'text',
    env: 'TESTGRAD_HOME',
    default: '~/.local/state/testgrad',
    description: 'store, runs and server',
    group: 'Server',
    verbs: ALL,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof OPTIONS;

/** Options of one verb, in the order of the help. */
export function optionsOf(verb: VerbName): { readonly name: OptionName; readonly spec: OptionSpec }[] {
  return (Object.entries(OPTIONS) as [OptionName, OptionSpec][])
    .filter(([, spec]) => spec.verbs.includes(verb))
    .map(([name, spec]) => ({ name, spec }));
}
