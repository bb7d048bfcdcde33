import { createHash } from 'node:crypto';
import type { ExecutionLimits, TestEnvironment } from '../core/instance.js';
import { SandboxError } from '../errors.js';
import { type PythonDescription, runnerVersionOf } from './python-environment.js';
import { parseTestCommand } from './test-command.js';

const MEMORY_BYTES = 4 * 1024 ** 3;
const MAX_PROCESSES = 256;

/** Limits of one test file; memory and processes have the same bounds everywhere. */
const executionLimits = ({ timeoutMs }: { timeoutMs: number }): ExecutionLimits => ({
  timeoutMs,
  memoryBytes: MEMORY_BYTES,
  maxProcesses: MAX_PROCESSES,
});

/**
 * How an instance's tests are started, from its test command and what its interpreter is.
 *
 * @param python absolute path of the interpreter, with an image in there
 * @param image id of the image that has it; undefined without Docker
 * @returns the environment, and the words of the command that were left out
 * @throws InputError TG-I14 for a command that cannot be used, SandboxError TG-S03 when pytest is missing
 */
export function testEnvironment({
  python,
  description,
  command,
  setupCommand,
  pythonPath,
  sandbox,
  image,
  timeoutMs,
}: {
  python: string;
  description: PythonDescription;
  command: string;
  setupCommand: readonly string[];
  pythonPath: readonly string[];
  sandbox: TestEnvironment['sandbox'];
  image?: string;
  timeoutMs: number;
}): { readonly environment: TestEnvironment; readonly leftOut: readonly string[] } {
  const { testCommand, runner, variables, leftOut } = parseTestCommand({ command, python });
  if (runner === 'pytest' && !description.hasPytest) throw noPytest(python);
  const environment: TestEnvironment = {
    python,
    pythonVersion: description.version,
    digest: image === undefined ? description.digest : digestWith({ image, digest: description.digest }),
    testCommand,
    runner,
    ...(Object.keys(variables).length > 0 ? { variables } : {}),
    runnerVersion: runnerVersionOf({ runner, testCommand, description }),
    setupCommand,
    pythonPath,
    sandbox,
    ...(image === undefined ? {} : { image }),
    limits: executionLimits({ timeoutMs }),
  };
  return { environment, leftOut };
}

function noPytest(python: string): SandboxError {
  return new SandboxError({
    code: 'TG-S03',
    what: `${python} has no pytest, so the test command cannot start.`,
    meaning: 'Nothing was started, nothing was spent on a model.',
    fix: `Install it (${python} -m pip install pytest), name another interpreter with --python, or run the tests with --test-cmd "python -m unittest".`,
  });
}

/** Another image may hold other libraries of the system. */
const digestWith = ({ image, digest }: { image: string; digest: string }): string =>
  createHash('sha256').update(`${digest} ${image}`).digest('hex');
