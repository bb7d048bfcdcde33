import { APPLY_OPTIONS } from './apply-options.js';
import { BENCHMARK_OPTIONS } from './benchmark-options.js';
import { EVALUATE_OPTIONS } from './evaluate-options.js';
import type { OptionGroup, OptionSpec, VerbName } from './option-spec.js';
import { REPORT_OPTIONS } from './report-options.js';
import { TESTING_OPTIONS } from './testing-options.js';
import { TOOL_OPTIONS } from './tool-options.js';

const RUNS = ['select', 'matrix'] as const satisfies readonly VerbName[];
const ALL: readonly VerbName[] = [
  ...RUNS,
  ...(['bench', 'retry', 'pause', 'resume', 'compare', 'evaluate'] as const),
  ...(['apply', 'show', 'report', 'view', 'status', 'watch', 'cancel', 'up', 'down', 'worker', 'explain'] as const),
  ...(['doctor', 'init', 'config', 'clean', 'completion'] as const),
];
const FINISHED: readonly VerbName[] = ['show', 'report'];

/** Every option of every verb. The order is the order in the help. */
export const OPTIONS = {
  ...BENCHMARK_OPTIONS,
  ...EVALUATE_OPTIONS,
  ...APPLY_OPTIONS,
  ...REPORT_OPTIONS,
  ...TOOL_OPTIONS,
  repo: {
    flag: '--repo',
    value: 'DIR',
    type: 'text',
    default: 'the current folder',
    description: 'git repository; its working tree is only read',
    group: 'Inputs',
    verbs: [...RUNS, 'doctor', 'init', 'config'],
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
  ...TESTING_OPTIONS,
  model: {
    flag: '--model',
    value: 'NAME',
    type: 'text',
    env: 'TESTGRAD_MODEL',
    description: 'model of the optimizer, as the endpoint names it',
    group: 'Search',
    verbs: ['select', 'bench', 'doctor'],
  },
  checkerModel: {
    flag: '--checker-model',
    value: 'NAME',
    type: 'text',
    env: 'TESTGRAD_CHECKER_MODEL',
    default: 'the same',
    description: 'model of the checker',
    group: 'Search',
    verbs: ['select', 'bench'],
  },
  preset: {
    flag: '--preset',
    value: 'NAME',
    type: 'choice',
    choices: ['paper', 'balanced'],
    default: 'balanced',
    description: 'paper: the published method, no extension',
    group: 'Search',
    verbs: ['select', 'bench'],
  },
  steps: {
    flag: '--steps',
    value: 'N',
    type: 'count',
    min: 0,
    default: '8',
    description: 'updates of the tests at most; 0 only runs what is there',
    group: 'Search',
    verbs: ['select', 'bench'],
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
    verbs: [...RUNS, 'bench'],
  },
  maxTokens: {
    flag: '--max-tokens',
    value: 'N',
    type: 'count',
    default: '3000000; bench: none',
    description: 'tokens of the run, then it decides',
    group: 'Search',
    verbs: ['select', 'bench', 'retry'],
  },
  contextTokens: {
    flag: '--context-tokens',
    value: 'N',
    type: 'count',
    min: 8_000,
    default: '128000',
    description: 'context window of the model; beyond it, what was read first gives way',
    group: 'Search',
    verbs: ['select'],
  },
  detach: {
    flag: '--detach',
    value: null,
    type: 'switch',
    description: 'start the run, print its id and return',
    group: 'Output',
    verbs: ['select', 'bench', 'retry'],
  },
  requireDifferential: {
    flag: '--require-differential',
    value: null,
    type: 'switch',
    description: 'exit 10 or 11 when no test decided',
    group: 'Output',
    verbs: ['select', 'watch', 'show'],
    file: true,
  },
  write: {
    flag: '--write',
    value: 'DIR',
    type: 'text',
    description: 'also write the run folder (report, decision, steps) there',
    group: 'Output',
    verbs: ['select', 'bench', 'retry', ...FINISHED],
  },
  json: {
    flag: '--json',
    value: null,
    type: 'switch',
    description: 'one JSON document on stdout, all else on stderr',
    group: 'Output',
    verbs: ALL.filter((verb) => verb !== 'worker' && verb !== 'completion'),
  },
  verbose: {
    flag: '--verbose',
    short: '-v',
    value: null,
    type: 'switch',
    description: 'stack traces and causes with errors',
    group: 'Output',
    verbs: ALL,
    common: true,
  },
  taskQueue: {
    flag: '--task-queue',
    value: 'NAME',
    type: 'text',
    env: 'TESTGRAD_TASK_QUEUE',
    default: 'testgrad; local: by model',
    description: 'queue of the workers',
    group: 'Server',
    verbs: [...RUNS, 'bench', 'retry', 'worker', 'doctor'],
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
    // A file that comes with a repository does not choose where state is written and cleaned.
    file: false,
    common: true,
  },
  config: {
    flag: '--config',
    value: 'FILE',
    type: 'text',
    env: 'TESTGRAD_CONFIG',
    default: 'testgrad.config.yaml of the repository',
    description: 'settings, under the names of the flags',
    group: 'Server',
    verbs: ALL,
    file: false,
    common: true,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export type OptionName = keyof typeof OPTIONS;

/** In the order of the help. */
const GROUPS: readonly OptionGroup[] = ['Inputs', 'Tests', 'Search', 'Output', 'Server'];

/** Options of one verb, in the order of the help. */
export function optionsOf(verb: VerbName): { readonly name: OptionName; readonly spec: OptionSpec }[] {
  return (Object.entries(OPTIONS) as [OptionName, OptionSpec][])
    .filter(([, spec]) => spec.verbs.includes(verb))
    .map(([name, spec]) => ({ name, spec }))
    .sort((left, right) => GROUPS.indexOf(left.spec.group) - GROUPS.indexOf(right.spec.group));
}

/** Options that every verb has. */
export const COMMON_OPTIONS: readonly OptionSpec[] = Object.values<OptionSpec>(OPTIONS).filter(({ common }) => common);
