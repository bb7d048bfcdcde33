import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { execa } from 'execa';
import { EnvironmentError } from '../../errors.js';

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * What a program on PATH really starts: version managers put scripts there that need files which a sandbox does not
 * show. The program itself when it does not say.
 */
async function interpreterOf(program: string): Promise<string> {
  const { stdout } = await execa(program, ['-I', '-c', 'import sys; print(sys.executable)'], {
    reject: false,
    stdin: 'ignore',
    timeout: 20_000,
    cwd: '/',
  });
  const told = stdout?.trim() ?? '';
  return isAbsolute(told) && (await isExecutable(told)) ? told : program;
}

async function onPath({ name, env }: { name: string; env: NodeJS.ProcessEnv }): Promise<string | null> {
  for (const dir of (env.PATH ?? '').split(delimiter)) {
    if (dir !== '' && (await isExecutable(join(dir, name)))) return join(dir, name);
  }
  return null;
}

/**
 * Absolute path of the interpreter for the tests: --python (a path, or a name on PATH), else `.venv/bin/python` of the
 * repository, else that of $VIRTUAL_ENV, else `python3` on PATH. Links stay as they are: a virtual environment is
 * told by the path of its interpreter. Throws TG-E08.
 */
export async function choosePython({
  given,
  repoDir,
  cwd,
  env,
}: {
  given: string | undefined;
  repoDir: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
}): Promise<string> {
  if (given !== undefined) {
    const found = given.includes('/') ? resolve(cwd, given) : await onPath({ name: given, env });
    if (found !== null && (await isExecutable(found))) return given.includes('/') ? found : interpreterOf(found);
    throw new EnvironmentError({
      code: 'TG-E08',
      what: `--python ${given}: there is no such program${given.includes('/') ? '' : ' on PATH'}.`,
      meaning: 'The tests need an interpreter with the requirements of the repository. Nothing was started.',
      fix: 'Name it by its path: --python .venv/bin/python.',
    });
  }
  const places = [join(repoDir, '.venv'), ...(env.VIRTUAL_ENV ? [env.VIRTUAL_ENV] : [])];
  for (const place of places) {
    const python = join(place, 'bin', 'python');
    if (await isExecutable(python)) return resolve(python);
  }
  const found = await onPath({ name: 'python3', env });
  if (found !== null) return interpreterOf(found);
  throw new EnvironmentError({
    code: 'TG-E08',
    what: `No Python was found: no .venv in ${repoDir}, no $VIRTUAL_ENV, no python3 on PATH.`,
    meaning: 'The tests need an interpreter with the requirements of the repository. Nothing was started.',
    fix: 'Make one (python3 -m venv .venv) and install the requirements and pytest, or name one with --python.',
  });
}
