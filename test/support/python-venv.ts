import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const CACHE_DIR = fileURLToPath(new URL('../../node_modules/.cache/testgrad/', import.meta.url));

/** The pytest that {@link pythonWithPytest} has; tests may assert on it. */
export const PYTEST_VERSION = '8.4.2';

/**
 * Interpreter of a virtual environment with pytest, made on the first call and kept between runs.
 *
 * `requirements` are pip requirements; the default is pytest alone. Environments with other requirements are kept
 * beside it. Needs `python3` with `venv` on the path, and a package index (or its cache) the first time.
 *
 * @returns absolute path of `bin/python`
 */
export async function pythonWithPytest({
  requirements = [`pytest==${PYTEST_VERSION}`],
}: {
  requirements?: readonly string[];
} = {}): Promise<string> {
  const { stdout: system } = await execa('python3', ['-c', 'import sys; print(sys.executable, sys.version)']);
  const key = createHash('sha256')
    .update([system, ...requirements].join('\n'))
    .digest('hex')
    .slice(0, 12);
  const finished = join(CACHE_DIR, `venv-${key}`);
  if (!existsSync(finished)) await makeVenv({ finished, requirements });
  return join(finished, 'bin', 'python');
}

async function makeVenv({ finished, requirements }: { finished: string; requirements: readonly string[] }) {
  const building = `${finished}.${process.pid}`;
  await mkdir(dirname(finished), { recursive: true });
  await rm(building, { recursive: true, force: true });
  await execa('python3', ['-m', 'venv', building]);
  const python = join(building, 'bin', 'python');
  await execa(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements]);
  try {
    // A rename shows other processes a complete environment or none. It breaks the shebangs of bin/pytest and bin/pip:
    // tests start both as `python -m`.
    await rename(building, finished);
  } catch (error) {
    await rm(building, { recursive: true, force: true });
    if (!existsSync(finished)) throw error;
  }
}
