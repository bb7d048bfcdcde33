import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { TestEnvironment } from '../core/instance.js';
import { unittestArguments } from './unittest-arguments.js';

export { recorderDir } from './recorder-dir.js';

/** Part of every outcome's key. Raise it when the same run may be recorded or read differently than before. */
export const RECORDER_VERSION = '2';

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
  tests = [],
}: {
  environment: TestEnvironment;
  file: string;
  mode: 'run' | 'collect';
  root: string;
  recorderDir: string;
  outputFile: string;
  probeModules: readonly string[];
  tests?: readonly string[];
}): ExecutionPlan {
  const argumentsOf = environment.runner === 'pytest' ? pytestArguments : unittestArguments;
  return {
    argv: [environment.python, ...argumentsOf({ options: environment.testCommand.slice(1), file, mode, tests })],
    env: {
      ...commonVariables({ environment, scratchDir: dirname(outputFile) }),
      PYTHONPATH: importPath({ environment, root, first: [recorderDir] }),
      TESTGRAD_RECORD: outputFile,
      TESTGRAD_ROOT: root,
      TESTGRAD_PROBES: probeModules.join(','),
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
  return { ...commonVariables({ environment, scratchDir }), ...(path === '' ? {} : { PYTHONPATH: path }) };
}

interface ArgumentsInput {
  /** The test command without the interpreter. */
  readonly options: readonly string[];
  readonly file: string;
  readonly mode: 'run' | 'collect';
  readonly tests: readonly string[];
}

function pytestArguments({ options, file, mode, tests }: ArgumentsInput): readonly string[] {
  return [
    ...options,
    ...['-p', 'testgrad_recorder', '-p', 'no:randomly', '-p', 'no:random_order'],
    ...['--continue-on-collection-errors', '--color=no'],
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

function commonVariables({
  environment,
  scratchDir,
}: {
  environment: TestEnvironment;
  scratchDir: string;
}): Readonly<Record<string, string>> {
  const isolated = environment.sandbox === 'bubblewrap';
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
