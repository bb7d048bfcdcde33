import type { TestRunner } from '../core/instance.js';
import { InputError } from '../errors.js';
import { projectCommand } from './project-command.js';
import { pytestOptions, unittestOptions } from './runner-options.js';
import { splitWords } from './shell-words.js';

/** A test command as it is used: the runner and its options, without the tests. */
export interface ParsedTestCommand {
  /** `[interpreter, …interpreter options, "-m", "pytest" | "unittest", …options]`, or `[interpreter, script, …options]`. */
  readonly testCommand: readonly string[];
  readonly runner: TestRunner;
  /** Variables that the command sets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Words that were left out because they name tests or would change which tests run, for a note to the user. */
  readonly leftOut: readonly string[];
}

/** Interpreter options that take a value as the next word. */
const VALUED = new Set(['-W', '-X']);
/** They would take the recorder from the import path. */
const ISOLATING = /^-[A-Za-z]*[EI][A-Za-z]*$/;

/**
 * Reads the user's test command.
 *
 * `pytest …` and `python -m pytest …` run pytest, `python -m unittest …` unittest; `tests/runtests.py …` and
 * `manage.py test …` Django's runner, `bin/test …` sympy's. `python`, `python3` and the like become the interpreter.
 * `NAME=value` before it sets variables. Tests named in the command and a `{tests}` placeholder are left out: each test file is run
 * by itself. Options stay, but for those that stop early, reorder or repeat an earlier selection.
 *
 * @param python absolute path of the interpreter
 * @throws InputError TG-I14 for an empty command, a shell operator, another program, or another interpreter
 */
export function parseTestCommand({ command, python }: { command: string; python: string }): ParsedTestCommand {
  const words = splitWords(command).filter((word) => word !== '{tests}');
  const start = words.findIndex((word) => !ASSIGNMENT.test(word));
  const variables = variablesOf({ command, words: start === -1 ? words : words.slice(0, start) });
  const project = projectCommand(command);
  if (project !== null) {
    const { runner, script, options, leftOut } = project;
    return { testCommand: [python, script, ...options], runner, variables, leftOut };
  }
  return { ...moduleCommand({ command, words: start === -1 ? [] : words.slice(start), python }), variables };
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/;
/** The sandbox and the recorder need these for themselves; the second of each is what to use in its place. */
const OURS: Readonly<Record<string, string>> = {
  PYTHONPATH: '--python-path DIR',
  PYTHONHASHSEED: 'nothing: it is always 0',
  PATH: '--python PATH',
  HOME: 'nothing: tests have a home of their own',
  TMPDIR: 'nothing: tests have a folder of their own',
};

function variablesOf({ command, words }: { command: string; words: readonly string[] }): Record<string, string> {
  const pairs = words.map((word): [string, string] => {
    const at = word.indexOf('=');
    return [word.slice(0, at), word.slice(at + 1)];
  });
  for (const [name] of pairs) {
    if (name.startsWith('TESTGRAD_')) throw refuse({ command, why: `\`${name}\` is a name of ours.` });
    if (name in OURS) throw refuse({ command, why: `\`${name}\` cannot be set; use ${OURS[name]}.` });
  }
  return Object.fromEntries(pairs);
}

function moduleCommand({
  command,
  words: [program, ...rest],
  python,
}: {
  command: string;
  words: readonly string[];
  python: string;
}): Omit<ParsedTestCommand, 'variables'> {
  if (program === undefined) throw refuse({ command, why: 'It is empty.' });
  if (rest.some((word) => word.includes('{tests}')))
    throw refuse({ command, why: '`{tests}` must be a word by itself.' });
  if (program === 'pytest' || program === 'py.test') return pytestCommand({ head: [python], options: rest });
  if (program !== python && !/^python[\d.]*$/.test(program)) throw refuse({ command, why: otherProgram(program) });

  const module = rest.indexOf('-m');
  const interpreterOptions = module === -1 ? [] : rest.slice(0, module);
  const unsupported = interpreterOptions.find((word, index) => !isInterpreterOption(interpreterOptions, word, index));
  if (unsupported !== undefined) throw refuse({ command, why: `\`${unsupported}\` cannot stand before \`-m\`.` });
  const head = [python, ...interpreterOptions];
  const runner = module === -1 ? undefined : rest[module + 1];
  const options = rest.slice(module + 2);
  if (runner === 'pytest' || runner === 'py.test') return pytestCommand({ head, options });
  if (runner === 'unittest') {
    const { kept, leftOut } = unittestOptions(options);
    return { testCommand: [...head, '-m', 'unittest', ...kept], runner, leftOut };
  }
  throw refuse({ command, why: 'It starts none of the known runners.' });
}

function pytestCommand({
  head,
  options,
}: {
  head: readonly string[];
  options: readonly string[];
}): Omit<ParsedTestCommand, 'variables'> {
  const { kept, leftOut } = pytestOptions(options);
  return { testCommand: [...head, '-m', 'pytest', ...kept], runner: 'pytest', leftOut };
}

function isInterpreterOption(words: readonly string[], word: string, index: number): boolean {
  const previous = words[index - 1];
  if (previous !== undefined && VALUED.has(previous)) return true;
  return word.startsWith('-') && (/^-[WX]/.test(word) || !ISOLATING.test(word));
}

function otherProgram(program: string): string {
  if (/(^|\/)python[\d.]*$/.test(program)) return `\`${program}\` is another interpreter than the one chosen.`;
  return `\`${program}\` is neither python nor pytest.`;
}

function refuse({ command, why }: { command: string; why: string }): InputError {
  return new InputError({
    code: 'TG-I14',
    what: `The test command cannot be used. ${why}${command.trim() === '' ? '' : ` Command: ${command}`}`,
    meaning:
      'Each test file is run by itself and its outcomes are recorded; that works with pytest, unittest, and the runners of Django and sympy.',
    fix: 'Give `python -m pytest` or `python -m unittest` with its options, the interpreter with --python, and no wrapper such as tox, make, uv run or poetry run.',
  });
}
