import type { OptionSpec } from './option-spec.js';

/** The options that only reports and the viewer have. */
export const REPORT_OPTIONS = {
  format: {
    flag: '--format',
    value: 'NAME',
    type: 'choice',
    choices: ['md', 'html', 'json', 'csv'],
    default: 'md',
    description: 'html: one file that works without a network',
    group: 'Output',
    verbs: ['report'],
  },
  out: {
    flag: '--out',
    value: 'FILE',
    type: 'text',
    default: 'standard output; html: report.html in the run folder',
    description: 'where the report goes; - for standard output',
    group: 'Output',
    verbs: ['report'],
  },
  port: {
    flag: '--port',
    value: 'N',
    type: 'count',
    default: 'a free one',
    description: 'port of the viewer on 127.0.0.1',
    group: 'Output',
    verbs: ['view'],
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;
