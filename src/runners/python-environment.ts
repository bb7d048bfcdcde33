import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import type { TestEnvironment } from '../core/instance.js';
import { EnvironmentError, SandboxError } from '../errors.js';
import { environmentPaths } from './environment-paths.js';
import { recorderDir } from './recorder-dir.js';

/** What a Python environment is, and what of it a sandbox must show. */
export interface PythonDescription {
  /** `3.11.7`. */
  readonly version: string;
  /** Absolute path of the interpreter as it calls itself. */
  readonly executable: string;
  /** SHA-256 over interpreter path, implementation, version and installed distributions. */
  readonly digest: string;
  /** Host paths that the interpreter, its libraries and projects installed in editable mode need; none is part of the repository's own code. */
  readonly readOnlyPaths: readonly string[];
  /** `pytest 8.4.2` when the environment has pytest, else `unittest 3.11.7`; see {@link runnerVersionOf}. */
  readonly runnerVersion: string;
  readonly hasPytest: boolean;
}

const ANSWER = z.object({
  version: z.string(),
  implementation: z.string(),
  executable: z.string(),
  prefix: z.string(),
  basePrefix: z.string(),
  stdlib: z.array(z.string()),
  importPath: z.array(z.string()),
  editable: z.array(z.string()),
  distributions: z.array(z.string()),
  pytest: z.string().nullable(),
});
type Answer = z.infer<typeof ANSWER>;

/** An interpreter that says nothing for so long will not run tests either. */
const TIMEOUT_MS = 60_000;

/**
 * Asks an interpreter what it is, without the user's site-packages and variables, as the tests will see it.
 *
 * @param python absolute path
 * @param cwd the repository's root, so that its own code is not taken for a part of the environment
 * @throws EnvironmentError TG-E08 when there is no such program; SandboxError TG-S03 when it does not work as Python
 */
export async function describePython({ python, cwd }: { python: string; cwd: string }): Promise<PythonDescription> {
  const script = join(recorderDir(), 'testgrad_describe.py');
  const result = await execa(python, ['-I', script], { reject: false, stdin: 'ignore', timeout: TIMEOUT_MS, cwd: '/' });
  if (result.code === 'ENOENT' || result.code === 'EACCES') {
    throw new EnvironmentError({
      code: 'TG-E08',
      what: `There is no Python interpreter at ${python}.`,
      meaning: 'The tests cannot be started. Nothing was spent.',
      fix: 'Give the interpreter that has the project’s dependencies: --python /path/to/venv/bin/python',
      cause: result,
    });
  }
  const description = result.failed ? null : describeAnswer({ stdout: result.stdout, python, repository: cwd });
  if (description === null) {
    throw new SandboxError({
      code: 'TG-S03',
      what: `${python} does not work as a Python interpreter: ${result.stderr.trim().slice(-500) || result.shortMessage || 'its answer cannot be read'}`,
      meaning: 'The test command cannot start. Nothing was spent.',
      fix: `Try it: ${python} -I -c "import sys; print(sys.version)"; Python 3.6 or later is needed.`,
    });
  }
  return description;
}

/** What `testgrad_describe.py` printed, as a description; null where it is no answer of it. */
export function describeAnswer({
  stdout,
  python,
  repository,
}: {
  stdout: string;
  python: string;
  /** The repository's root as the interpreter sees it. */
  repository: string;
}): PythonDescription | null {
  const answer = parse(stdout);
  if (answer === null) return null;
  return {
    version: answer.version,
    executable: answer.executable,
    digest: digestOf({ python, answer }),
    readOnlyPaths: environmentPaths({ python, ...answer, repository }),
    runnerVersion: answer.pytest === null ? `unittest ${answer.version}` : `pytest ${answer.pytest}`,
    hasPytest: answer.pytest !== null,
  };
}

/**
 * Version of the runner that a test command starts; pytest's own only where the environment has it. A project's own
 * runner is told by its script.
 */
export function runnerVersionOf({
  runner,
  testCommand,
  description,
}: Pick<TestEnvironment, 'runner' | 'testCommand'> & { description: PythonDescription }): string {
  if (runner === 'django') return `${testCommand[1]} (Django's test runner)`;
  if (runner === 'sympy') return `${testCommand[1]} (sympy's test runner)`;
  return runner === 'unittest' ? `unittest ${description.version}` : description.runnerVersion;
}

function parse(stdout: string): Answer | null {
  // A .pth file of the environment may print something first.
  const last = stdout.trim().split('\n').at(-1) ?? '';
  try {
    return ANSWER.parse(JSON.parse(last));
  } catch {
    return null;
  }
}

function digestOf({ python, answer }: { python: string; answer: Answer }): string {
  const { implementation, version, distributions } = answer;
  const text = JSON.stringify({ python, implementation, version, distributions });
  return createHash('sha256').update(text).digest('hex');
}
