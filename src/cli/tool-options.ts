import type { OptionSpec } from './option-spec.js';

/** The options of the verbs that look after runs and their machine, and those that shape what programs read. */
export const TOOL_OPTIONS = {
  events: {
    flag: '--events',
    value: null,
    type: 'switch',
    description: 'NDJSON on stdout as it happens: launch first, done last',
    group: 'Output',
    verbs: ['select', 'matrix', 'watch'],
  },
  content: {
    flag: '--content',
    value: null,
    type: 'switch',
    description: 'with --json or --events: also text of models, tests and issues',
    group: 'Output',
    verbs: ['select', 'matrix', 'watch', 'show'],
  },
  olderThan: {
    flag: '--older-than',
    value: 'DAYS',
    type: 'count',
    min: 0,
    default: '30',
    description: 'runs and images that no command has used for so long',
    group: 'Inputs',
    verbs: ['clean'],
  },
  yes: {
    flag: '--yes',
    value: null,
    type: 'switch',
    description: 'remove what is listed',
    group: 'Inputs',
    verbs: ['clean'],
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;
