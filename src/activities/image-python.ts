import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SandboxError } from '../errors.js';
import { recorderDir } from '../runners/plan.js';
import { describeAnswer, type PythonDescription } from '../runners/python-environment.js';
import { openSession } from '../sandbox/docker-session.js';
import type { SandboxOwner } from '../sandbox/sandbox.js';

/** Interpreters that are tried where none is named: that of official SWE-bench images, then what the image's PATH has. */
const PYTHONS = ['/opt/miniconda3/envs/testbed/bin/python', 'python3', 'python'] as const;
const SCRIPT = '/opt/testgrad/describe.py';
const LIMITS = { timeoutMs: 120_000, memoryBytes: 2 * 1024 ** 3, maxProcesses: 64, maxOutputBytes: 4 * 1024 ** 2 };

/**
 * Asks an interpreter of an image what it is. `executable` is its absolute path in the image.
 *
 * @param python name or path in the image; undefined tries the usual ones
 * @param mountAt where the repository is in the image
 * @throws SandboxError TG-S03 when there is none that works; Docker's error as it is
 */
export async function describeImagePython({
  image,
  python,
  mountAt,
  owner,
}: {
  image: string;
  python: string | undefined;
  mountAt: string;
  owner: SandboxOwner;
}): Promise<PythonDescription> {
  const limits = LIMITS;
  const session = await openSession({ image, workingDir: '/', limits, lifetimeMs: 3 * limits.timeoutMs, owner });
  try {
    const content = await readFile(join(recorderDir(), 'testgrad_describe.py'));
    await session.put([{ kind: 'file', path: SCRIPT, content, mode: 0o644 }]);
    const said: string[] = [];
    for (const name of python === undefined ? PYTHONS : [python]) {
      const { exit, stdout, stderr } = await session.run({ argv: [name, '-I', SCRIPT] });
      const found = exit.kind === 'exited' && exit.code === 0;
      const description = found ? describeAnswer({ stdout, python: name, repository: mountAt }) : null;
      if (description !== null) return description;
      said.push(`${name}: ${(exit.kind === 'broken' ? exit.reason : stderr).trim().slice(-200) || exit.kind}`);
    }
    throw noPython({ image, said });
  } finally {
    await session.close();
  }
}

function noPython({ image, said }: { image: string; said: readonly string[] }): SandboxError {
  return new SandboxError({
    code: 'TG-S03',
    what: `No Python interpreter works in the image ${image}: ${said.join('; ')}`,
    meaning: 'The test command cannot start. Nothing was spent.',
    fix: 'Name the interpreter by its path in the image: --python /path/in/the/image/python. Python 3.5 or later is needed.',
  });
}
