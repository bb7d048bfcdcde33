import type { OptionSpec, VerbName } from './option-spec.js';

const EVALUATE = ['evaluate'] as const satisfies readonly VerbName[];

/** The options that only evaluations have. */
export const EVALUATE_OPTIONS = {
  predictionsFile: {
    flag: '--predictions',
    value: 'FILE|gold',
    type: 'text',
    description: 'predictions (JSONL or JSON), or the developers’ own patches',
    group: 'Inputs',
    verbs: EVALUATE,
  },
  harness: {
    flag: '--harness',
    value: 'RELEASE',
    type: 'choice',
    choices: ['v4', 'v5'],
    default: 'v5 for rows with a script of their own',
    description: 'release of SWE-bench whose rules hold',
    group: 'Tests',
    verbs: EVALUATE,
  },
  runName: {
    flag: '--run-id',
    value: 'ID',
    type: 'text',
    default: 'testgrad',
    description: 'names logs and report; what it has graded is not run again',
    group: 'Output',
    verbs: EVALUATE,
  },
  reportDir: {
    flag: '--report-dir',
    value: 'DIR',
    type: 'text',
    default: 'the current folder',
    description: 'takes logs/run_evaluation/… and MODEL.ID.json',
    group: 'Output',
    verbs: EVALUATE,
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;
