import type { OptionSpec } from './option-spec.js';

/** The options that only `apply` has. */
export const APPLY_OPTIONS = {
  into: {
    flag: '--into',
    value: 'DIR',
    type: 'text',
    default: 'the repository of the run',
    description: 'working tree to change',
    group: 'Inputs',
    verbs: ['apply'],
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
} as const satisfies Readonly<Record<string, OptionSpec>>;
