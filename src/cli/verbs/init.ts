import { writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { InputError } from '../../errors.js';
import { defaultImportRoots } from '../../repository/import-roots.js';
import { inspectRepository, topLevelOf } from '../../repository/inspect-repository.js';
import { describePython } from '../../runners/python-environment.js';
import { CONFIG_FILE } from '../config/find-config.js';
import { starterConfig } from '../config/starter-config.js';
import { choosePython } from '../inputs/choose-python.js';
import type { Invocation } from '../invocation.js';

/**
 * `testgrad init`: writes a commented configuration for the repository at hand, with the interpreter, the test command
 * and the import root that a run would choose. Asks nothing, overwrites nothing: throws TG-I13 when there is one.
 */
export async function init(invocation: Invocation): Promise<number> {
  const { terminal, values, cwd, env } = invocation;
  const repoDir = resolve(cwd, values.text('repo') ?? '.');
  const facts = await inspectRepository({ repoDir: await topLevelOf({ repoDir }) });
  const file = join(facts.topLevel, CONFIG_FILE);
  const python = await choosePython({ given: undefined, repoDir: facts.topLevel, cwd, env }).catch(() => null);
  const hasPytest =
    python === null
      ? true
      : await describePython({ python, cwd: facts.topLevel }).then(
          (found) => found.hasPytest,
          () => true,
        );
  const below = python === null ? '..' : relative(facts.topLevel, python);
  const found = {
    'test-cmd': hasPytest ? 'python -m pytest' : 'python -m unittest',
    'python-path': await defaultImportRoots(facts),
    // One that lies elsewhere is of this machine only.
    ...(below.startsWith('..') ? {} : { python: `./${below}` }),
  };
  const text = starterConfig({ repository: basename(facts.topLevel), found });
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite(error as Error);
    throw new InputError({
      code: 'TG-I13',
      what: `${file} is there already.`,
      meaning: 'It was not changed.',
      fix: 'See what it sets with testgrad config show, or move it away first.',
    });
  }
  if (values.on('json')) terminal.json({ schema: 'testgrad.init/1', file, found });
  else terminal.out(`Wrote ${file}`);
  terminal.note('Check the rest with: testgrad doctor');
  return 0;
}

function cannotWrite(cause: Error): InputError {
  return new InputError({
    code: 'TG-I14',
    what: `The configuration cannot be written: ${cause.message}`,
    meaning: 'Nothing was changed.',
    fix: 'Name a repository that can be written with --repo.',
    cause,
  });
}
