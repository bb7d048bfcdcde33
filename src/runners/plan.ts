import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { TestEnvironment, TestRunner } from '../core/instance.js';
import { djangoArguments } from './django.js';
import { sympyArguments } from './sympy.js';
import { unittestArguments } from './unittest-arguments.js';

export { recorderDir } from './recorder-dir.js';

/** Part of every outcome's key. Raise it when the same run may be recorded or read differently than before. */
export const RECORDER_VERSION = '3';

/** A program with its complete environment, for a sandbox. */
export interface ExecutionPlan {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * How one test file is run and recorded.
 *
 * The user's options stay as they are. What would change which tests run (`-x`, `--maxfail`, `-n`, `--lf`, random
 * order, …) or need plugins for nothing (`--cov`) is left out: from the test command when it is read, from the
 * project's configuration by the recorder.
 *
 * @param mode `collect` lists the tests without running them
 * @param root the repository's root as the program sees it; its working directory
 * @param recorderDir folder with the recorder, visible to the program
 * @param outputFile where the record goes, in the scratch directory; HOME and TMPDIR lie beside it without a sandbox
 * @param probeModules modules whose origin is recorded
 * @param seed with each test's id, the seed of the random numbers that it draws: the same on every column, so that
 * chance does not tell candidates apart, another one in every rerun, so that it is found out
 * @param tests ids to run instead of the whole file, as {@link FileOutcome} has them
 */
export function planFile({
  environment,
  file,
  mode,
  root,
  recorderDir,
  outputFile,
  probeModules,
  seed,
  tests = [],
}: {
  environment: TestEnvironment;
  file: string;
  mode: 'run' | 'collect';
  root: string;
  recorderDir: string;
  outputFile: string;
  probeModules: readonly string[];
  seed: number;
  tests?: readonly string[];
}): ExecutionPlan {
  const variables = commonVariables({ environment, scratchDir: dirname(outputFile) });
  const how = { words: environment.testCommand.slice(1), file, mode, tests, temporaryDir: variables.TMPDIR };
  return {
    argv: [environment.python, ...ARGUMENTS[environment.runner](how)],
    env: {
      ...variables,
      ...environment.variables,
      PYTHONPATH: importPath({ environment, root, first: [recorderDir] }),
      TESTGRAD_RECORD: outputFile,
      TESTGRAD_ROOT: root,
      TESTGRAD_PROBES: probeModules.join(','),
      TESTGRAD_SEED: String(seed),
    },
  };
}

/**
 * Environment for a command that prepares a tree: as for the tests, without the recorder.
 *
 * @param scratchDir host directory for HOME and TMPDIR when there is no sandbox; default the system's temporary one
 */
export function baseEnvironment({
  environment,
  root,
  scratchDir = tmpdir(),
}: {
  environment: TestEnvironment;
  root: string;
  scratchDir?: string;
}): Readonly<Record<string, string>> {
  const path = importPath({ environment, root, first: [] });
  const variables = { ...commonVariables({ environment, scratchDir }), ...environment.variables };
  return { ...variables, ...(path === '' ? {} : { PYTHONPATH: path }) };
}

interface ArgumentsInput {
  /** The test command without the interpreter. */
  readonly words: readonly string[];
  readonly file: string;
  readonly mode: 'run' | 'collect';
  readonly tests: readonly string[];
  /** The program's own. */
  readonly temporaryDir: string;
}

const ARGUMENTS: Readonly<Record<TestRunner, (input: ArgumentsInput) => readonly string[]>> = {
  pytest: pytestArguments,
  unittest: ({ words, ...rest }) => unittestArguments({ options: words, ...rest }),
  django: ({ words: [script = '', ...options], ...rest }) => djangoArguments({ script, options, ...rest }),
  sympy: ({ words: [script = '', ...options], ...rest }) => sympyArguments({ script, options, ...rest }),
};

function pytestArguments({ words, file, mode, tests, temporaryDir }: ArgumentsInput): readonly string[] {
  return [
    ...words,
    ...['-p', 'testgrad_recorder', '-p', 'no:randomly', '-p', 'no:random_order'],
    ...['--continue-on-collection-errors', '--color=no'],
    // In the tree it would make a new copy necessary for the next file.
    ...['-o', `cache_dir=${join(temporaryDir, 'pytest-cache')}`],
    ...(mode === 'collect' ? ['--collect-only'] : []),
    ...(tests.length > 0 ? tests : [file]),
  ];
}

function importPath({
  environment,
  root,
  first,
}: {
  environment: TestEnvironment;
  root: string;
  first: readonly string[];
}): string {
  return [...first, ...environment.pythonPath.map((dir) => join(root, dir))].join(delimiter);
}

function commonVariables({ environment, scratchDir }: { environment: TestEnvironment; scratchDir: string }) {
  const isolated = environment.sandbox !== 'none';
  return {
    PATH: [dirname(environment.python), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: isolated ? '/home/testgrad' : join(scratchDir, 'home'),
    TMPDIR: isolated ? '/tmp' : join(scratchDir, 'tmp'),
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    // Sets and dictionaries keyed by hash come in the same order in every run.
    PYTHONHASHSEED: '0',
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONNOUSERSITE: '1',
    // Not NO_COLOR: it would change what tests of coloured output see.
    PY_COLORS: '0',
  };
}
