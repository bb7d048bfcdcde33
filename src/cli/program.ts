import { readFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { InputError } from '../errors.js';
import { loadConfig } from './config/load-config.js';
import { printFailure } from './failure.js';
import type { OptionSpec } from './option-spec.js';
import { readOptionValues } from './option-values.js';
import { COMMON_OPTIONS, optionsOf } from './options.js';
import { processTerminal, type Terminal } from './terminal.js';
import { VERBS, type VerbSpec } from './verbs.js';

/** Columns of the help when nobody looks at it through a terminal. */
const HELP_COLUMNS = 100;

/** Exit codes and what they say. */
export const EXIT_CODES = [
  ['0', 'finished, or detached'],
  ['1', 'unexpected failure'],
  ['2', 'bad usage or bad input'],
  ['3', 'the run was cancelled'],
  ['4', 'the model key is missing or refused'],
  ['5', 'something needed is missing, broken or unreachable'],
  ['6', 'disk full'],
  ['10', 'no test decided (with --require-differential)'],
  ['11', 'the candidates are equivalent (with --require-differential)'],
  ['12', 'the budget was used up before a decision, or before all was run'],
  ['13', 'no candidate is acceptable'],
  ['20', 'a benchmark ended, some of its runs with errors'],
  ['130', 'interrupted before a run was started'],
] as const;

/** Variables that no flag stands for. */
export const ENVIRONMENT = [
  ['OPENAI_API_KEY, OPENAI_BASE_URL', 'any OpenAI-compatible endpoint; the key never leaves this machine but to it'],
  [
    'TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, ...',
    'a server, as for the Temporal CLI; without one a local one is started',
  ],
  ['TEMPORAL_CLI_PATH', 'the Temporal CLI for the local server; else PATH, else it is fetched'],
  ['TEMPORAL_UI_URL', 'pages of a configured server, for links'],
  ['TESTGRAD_RECORD, TESTGRAD_REPLAY', 'file to record model answers into, or to answer from'],
  ['TESTGRAD_PRICE', 'price of the model, where it is not known'],
  [
    'TESTGRAD_ARTIFACTS',
    's3://bucket/prefix for what runs store, with the usual AWS_* variables; default: the state folder',
  ],
  ['TESTGRAD_CACHE', 'folder for what can be fetched again; default ~/.cache/testgrad'],
  ['NO_COLOR, FORCE_COLOR', 'respected'],
] as const;

/** Version of the package; read only when it is asked for. */
function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** What the help says about an option. */
export function describeOption(spec: OptionSpec): string {
  const facts = [
    ...(spec.choices === undefined ? [] : [spec.choices.join(' or ')]),
    ...(spec.default === undefined ? [] : [`default: ${spec.default}`]),
    ...(spec.env === undefined ? [] : [`env: ${spec.env}`]),
  ];
  return facts.length === 0 ? spec.description : `${spec.description} (${facts.join('; ')})`;
}

/** Flags with what they take: `-n, --candidates <N>`. */
export function flagsOf({ short, flag, value }: OptionSpec): string {
  const flags = short === undefined ? flag : `${short}, ${flag}`;
  return value === null ? flags : `${flags} <${value}>`;
}

function toCommanderOption({ name, spec }: { name: string; spec: OptionSpec }): Option {
  const option = new Option(flagsOf(spec), describeOption(spec)).hideHelp(spec.common === true);
  option.attributeName = () => name;
  option.helpGroup(`${spec.group}:`);
  if (spec.type === 'texts') {
    option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
  return option;
}

function addVerb({
  program,
  verb,
  onAction,
}: {
  program: Command;
  verb: VerbSpec;
  onAction: (call: {
    verb: VerbSpec;
    argument: string | undefined;
    second: string | undefined;
    flags: Record<string, unknown>;
  }) => Promise<void>;
}): void {
  const command = program
    .command(verb.name)
    .summary(verb.summary)
    // Lines of the table are lines of the source: what is shown is wrapped where the reader's terminal ends.
    .description(
      `${verb.summary.charAt(0).toUpperCase()}${verb.summary.slice(1)}.\n${unwrapped(verb.details)}`.trimEnd(),
    )
    .addHelpOption(new Option('-h, --help', 'this help').helpGroup('Output:'))
    .addHelpText('after', `\n(${COMMON_FLAGS}: testgrad --help)`)
    .addHelpText('after', `\nExamples:\n${verb.examples.map((example) => `  ${example}`).join('\n')}`);
  for (const { name, spec } of optionsOf(verb.name)) {
    command.addOption(toCommanderOption({ name, spec }));
  }
  if (verb.argument !== undefined) {
    const { name, required, description } = verb.argument;
    command.argument(required ? `<${name}>` : `[${name}]`, description);
  }
  if (verb.second !== undefined) command.argument(`<${verb.second.name}>`, verb.second.description);
  command.allowExcessArguments(false).action(async (...received: unknown[]) => {
    const [argument, second] = received.map((each) => (typeof each === 'string' ? each : undefined));
    await onAction({ verb, argument, second, flags: command.opts() });
  });
}

const unwrapped = (text: string): string => text.replace(/\n/g, ' ');

const COMMON_FLAGS = `every verb has ${COMMON_OPTIONS.map(({ flag }) => flag).join(', ')}`;

/** The command line as a commander program; `onAction` is called with what was parsed. */
export function buildProgram({
  onAction,
  helpColumns,
}: {
  onAction: Parameters<typeof addVerb>[0]['onAction'];
  helpColumns: number;
}): Command {
  const program = new Command('testgrad')
    .description('Chooses one patch out of several for the same issue, by a test that tells them apart.')
    .helpOption('-h, --help', 'this help')
    .helpCommand('help [verb]', 'help for a verb')
    .option('-V, --version', 'print the version')
    .exitOverride()
    // Headings tell groups apart; the blank lines between them would push the first ones off the screen.
    .configureHelp({ formatItemList: (heading, items) => (items.length === 0 ? [] : [heading, ...items]) })
    .configureOutput({
      writeErr: () => undefined,
      getOutHelpWidth: () => helpColumns,
      getErrHelpWidth: () => helpColumns,
    })
    .addHelpText(
      'after',
      `\nOptions of every verb:\n${COMMON_OPTIONS.map((spec) => `  ${flagsOf(spec)}\n      ${describeOption(spec)}`).join('\n')}`,
    )
    .addHelpText('after', `\nEnvironment:\n${ENVIRONMENT.map(([names, use]) => `  ${names}\n      ${use}`).join('\n')}`)
    .addHelpText(
      'after',
      `\nExit codes:\n${EXIT_CODES.map(([code, meaning]) => `  ${code.padStart(3)}  ${meaning}`).join('\n')}`,
    );
  for (const verb of VERBS) {
    addVerb({ program, verb, onAction });
  }
  for (const command of program.commands) {
    command.copyInheritedSettings(program);
  }
  return program;
}

/** Commander's complaint as one of our messages; help and version are no failure. */
function usageError({ error, argv }: { error: CommanderError; argv: readonly string[] }): InputError {
  const [what = '', hint] = error.message.replace(/^error: /, '').split('\n');
  const verb = VERBS.find(({ name }) => name === argv[0])?.name;
  return new InputError({
    code: 'TG-I14',
    what: `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}.`,
    meaning: 'Nothing was started.',
    fix: `${hint === undefined ? '' : `${hint.replace(/^\(|\)$/g, '')} `}See testgrad ${verb === undefined ? '' : `${verb} `}--help.`,
    cause: error,
  });
}

/** Verbs that no file may keep from answering. */
const WITHOUT_FILE = ['explain', 'completion', 'config', 'init'];

async function configOf({
  verb,
  flags,
  env,
}: {
  verb: VerbSpec;
  flags: Readonly<Record<string, unknown>>;
  env: NodeJS.ProcessEnv;
}): Promise<Awaited<ReturnType<typeof loadConfig>>> {
  if (WITHOUT_FILE.includes(verb.name)) return null;
  const named = readOptionValues({ names: ['config'], flags, env }).text('config');
  const folder = typeof flags.repo === 'string' ? flags.repo : undefined;
  return loadConfig({ named, folder, cwd: process.cwd() });
}

async function parse({
  argv,
  env,
  terminal,
}: {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  terminal: Terminal;
}): Promise<number> {
  let exitCode = 0;
  const program = buildProgram({
    helpColumns: process.stdout.columns === undefined ? HELP_COLUMNS : Math.min(process.stdout.columns, HELP_COLUMNS),
    onAction: async ({ verb, argument, second, flags }) => {
      const names = optionsOf(verb.name).map(({ name }) => name);
      const file = await configOf({ verb, flags, env });
      const values = readOptionValues({ names, flags, env, file: file?.values ?? new Map() });
      const action = await verb.load();
      exitCode = await action({ values, argument, second, env, cwd: process.cwd(), terminal });
    },
  });
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    terminal.out(packageVersion());
    return 0;
  }
  if (argv.length === 0) {
    terminal.out(program.helpInformation());
    return 2;
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      throw usageError({ error, argv });
    }
    throw error;
  }
}

/** Runs one command and resolves to its exit code; every failure is printed, none is thrown. */
export async function run({ argv, env }: { argv: readonly string[]; env: NodeJS.ProcessEnv }): Promise<number> {
  // A reader that has seen enough (head, less) closes the pipe; that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const terminal = processTerminal({ env });
  try {
    return await parse({ argv, env, terminal });
  } catch (error) {
    return printFailure({ error, terminal, verbose: argv.includes('--verbose') || argv.includes('-v') });
  }
}
