import type { TestEnvironment } from '../../core/instance.js';
import { EnvironmentError, SandboxError } from '../../errors.js';
import type { RepositoryFacts } from '../../repository/inspect-repository.js';
import { describePython, runnerVersionOf } from '../../runners/python-environment.js';
import { splitWords } from '../../runners/shell-words.js';
import { parseTestCommand } from '../../runners/test-command.js';
import { detectBubblewrap } from '../../sandbox/detect.js';
import type { Invocation } from '../invocation.js';
import { choosePython } from './choose-python.js';
import { basePaths, defaultImportRoots } from './import-roots.js';

const DEFAULT_TEST_COMMAND = 'python -m pytest';
const DEFAULT_TIMEOUT_SECONDS = 300;
const MEMORY_BYTES = 4 * 1024 ** 3;
const MAX_PROCESSES = 256;

/** Bubblewrap where it works; without it only what was asked for by hand, and loudly. Throws TG-E07. */
async function chooseSandbox({ values, terminal }: Invocation): Promise<TestEnvironment['sandbox']> {
  if (values.text('sandbox') === 'none') {
    terminal.note('WARNING: --sandbox none: candidates and generated tests run unprotected on this machine, with its');
    terminal.note('         network, files and keys in reach. Only do this with code that you trust.');
    return 'none';
  }
  const check = await detectBubblewrap();
  if (check.available) return 'bubblewrap';
  throw new EnvironmentError({
    code: 'TG-E07',
    what: `Bubblewrap does not work here: ${check.reason}.`,
    meaning: 'Candidates are code by strangers and run only isolated, unless you say otherwise. Nothing was started.',
    fix: 'Install it (Debian, Ubuntu: apt install bubblewrap), or accept the risk with --sandbox none.',
  });
}

function noPytest(python: string): SandboxError {
  return new SandboxError({
    code: 'TG-S03',
    what: `${python} has no pytest, so the test command cannot start.`,
    meaning: 'Nothing was started, nothing was spent on a model.',
    fix: `Install it (${python} -m pip install pytest), name another interpreter with --python, or run the tests with --test-cmd "python -m unittest".`,
  });
}

/** How the tests of the instance are started, from flags and what the machine and the repository have. */
export async function buildEnvironment({
  invocation,
  facts,
  repoDir,
}: {
  invocation: Invocation;
  facts: RepositoryFacts;
  repoDir: string;
}): Promise<TestEnvironment> {
  const { values, cwd, env, terminal } = invocation;
  const named = await basePaths({ base: facts, given: values.texts('pythonPath'), flag: '--python-path' });
  const pythonPath = named.length > 0 ? named : await defaultImportRoots(facts);
  const chosen = await choosePython({ given: values.text('python'), repoDir, cwd, env });
  const sandbox = await chooseSandbox(invocation);
  const python = await describePython({ python: chosen, cwd: facts.topLevel });
  const command = parseTestCommand({ command: values.text('testCommand') ?? DEFAULT_TEST_COMMAND, python: chosen });
  if (command.leftOut.length > 0) {
    terminal.note(`Note: left out of the test command, as each file is run by itself: ${command.leftOut.join(' ')}`);
  }
  if (command.runner === 'pytest' && !python.hasPytest) throw noPytest(chosen);
  return {
    python: chosen,
    pythonVersion: python.version,
    digest: python.digest,
    testCommand: command.testCommand,
    runner: command.runner,
    runnerVersion: runnerVersionOf({ runner: command.runner, description: python }),
    setupCommand: splitWords(values.text('setup') ?? ''),
    pythonPath,
    sandbox,
    limits: {
      timeoutMs: (values.count('timeout') ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      memoryBytes: MEMORY_BYTES,
      maxProcesses: MAX_PROCESSES,
    },
  };
}
