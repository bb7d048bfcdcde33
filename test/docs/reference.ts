import { CONFIG_KEYS } from '../../src/cli/config/config-keys.js';
import { EXPLANATIONS } from '../../src/cli/explanations.js';
import type { OptionSpec } from '../../src/cli/option-spec.js';
import { COMMON_OPTIONS, OPTIONS, optionsOf } from '../../src/cli/options.js';
import { ENVIRONMENT, EXIT_CODES, flagsOf } from '../../src/cli/program.js';
import { DOCUMENTS } from '../../src/cli/schemas/documents.js';
import { VERBS } from '../../src/cli/verbs.js';
import { type ErrorCode, exitCodeOf, isRetryable, TestgradError, titleOf } from '../../src/errors.js';

const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/\n/g, ' ');
const code = (text: string): string => `\`${cell(text)}\``;

function table({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }): string[] {
  return [
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
    '',
  ];
}

function optionRow(spec: OptionSpec): string[] {
  const facts = [
    spec.choices?.map(code).join(', ') ?? '',
    spec.default === undefined ? '' : `default: ${cell(spec.default)}`,
  ];
  const about = [cell(spec.description), ...facts.filter((fact) => fact !== '')].join('; ');
  return [code(flagsOf(spec)), about, spec.env === undefined ? '' : code(spec.env)];
}

function verbSections(): string[] {
  return VERBS.flatMap(({ name, summary, details, argument, second, examples }) => {
    const words = [
      ...(argument === undefined ? [] : [argument.required ? argument.name : `[${argument.name}]`]),
      ...(second === undefined ? [] : [second.name]),
    ];
    const options = optionsOf(name).filter(({ spec }) => !spec.common);
    const given = [argument, second].flatMap((each) =>
      each === undefined ? [] : [`${code(each.name)}: ${each.description}.`],
    );
    return [
      '',
      `### testgrad ${[name, ...words].join(' ')}`,
      '',
      `${summary.charAt(0).toUpperCase()}${summary.slice(1)}. ${details.replace(/\n/g, ' ')}`.trim(),
      ...(given.length === 0 ? [] : ['', given.join(' ')]),
      ...(options.length === 0
        ? ['']
        : table({ head: ['option', 'what it does', 'variable'], rows: options.map(({ spec }) => optionRow(spec)) })),
      '```sh',
      ...examples,
      '```',
    ];
  });
}

function errorRows(): string[][] {
  return (Object.keys(EXPLANATIONS) as ErrorCode[]).map((name) => {
    const error = new TestgradError({ code: name, what: '', meaning: '', fix: '' });
    return [
      name,
      titleOf(name) ?? '',
      String(exitCodeOf(error)),
      isRetryable(error) ? 'yes' : 'no',
      cell(EXPLANATIONS[name]),
    ];
  });
}

/** docs/reference.md from the tables of the code. */
export function referencePage(): string {
  const variables = Object.values<OptionSpec>(OPTIONS).filter(({ env }) => env !== undefined);
  const lines = [
    '# Reference',
    '',
    'Made from the tables of the code; a test fails when this page is not what they say (`npx vitest run test/docs -u`',
    'writes it anew).',
    '',
    '## Verbs',
    '',
    'Every verb has:',
    ...table({ head: ['option', 'what it does', 'variable'], rows: COMMON_OPTIONS.map(optionRow) }),
    'A flag wins over its variable, that over the configuration file, and that over the default.',
    ...verbSections(),
    '',
    '## Configuration file',
    '',
    '`testgrad.config.yaml`, in the folder that is worked on (`--repo`, else the current one) or above it up to the root',
    'of its git repository. Plain data under the names of the flags; `testgrad init` writes one, `testgrad config show`',
    'tells where each value comes from, and [schemas/config-1.json](schemas/config-1.json) describes it for editors.',
    'Unknown keys are errors. Such a file may come with a repository, so it sets neither the sandbox nor the state folder',
    'nor an endpoint: these are flags and variables only.',
    ...table({
      head: ['key', 'value', 'for'],
      rows: CONFIG_KEYS.map(({ key, spec }) => [code(key), spec.type, spec.verbs.join(', ')]),
    }),
    '## Environment',
    ...table({
      head: ['variable', 'use'],
      rows: [
        ...ENVIRONMENT.map(([names, use]) => [
          names
            .split(', ')
            .map((name) => (name === '...' ? name : code(name)))
            .join(', '),
          cell(use),
        ]),
        ...variables.map(({ env = '', flag, description }) => [code(env), `${code(flag)}: ${cell(description)}`]),
      ],
    }),
    '## Exit codes',
    ...table({ head: ['code', 'meaning'], rows: EXIT_CODES.map(([exit, meaning]) => [exit, cell(meaning)]) }),
    '## Machine output',
    '',
    '`--json` prints one document on standard output and everything else on standard error; a failure leaves standard',
    'output empty. `--events` (select, matrix, watch) prints NDJSON: the first record is `launch`, once a run was accepted,',
    'the last is `done` with the exit code; without `launch` nothing was started, without `done` the command itself broke.',
    'What models, tests and patches wrote is null unless `--content` is given. Control characters are escaped. What',
    '`testgrad evaluate --json` prints is the report of the official harness, in its own form.',
    ...table({
      head: ['schema', 'file'],
      rows: Object.keys(DOCUMENTS).map((name) => {
        const file = `schemas/${name.replace(/^testgrad\./, '').replace('/', '-')}.json`;
        return [code(name), `[${file}](${file})`];
      }),
    }),
    '## Errors',
    '',
    'A message is the code, what happened, what it means and what is not lost, and what to do. `testgrad explain CODE`',
    'prints the same at a terminal.',
    ...table({ head: ['code', 'what', 'exit', 'retried', 'explanation'], rows: errorRows() }),
  ];
  return `${lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;
}
