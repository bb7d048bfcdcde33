import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnvironmentError, SandboxError } from '../../src/errors.js';
import { describePython, runnerVersionOf } from '../../src/runners/python-environment.js';
import { PYTEST_VERSION, pythonWithPytest } from '../support/python-venv.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';
import { runTestFile, statuses, writeFiles } from '../support/test-files.js';

// With a build backend, so that an editable install needs no download.
const python = await pythonWithPytest({ requirements: [`pytest==${PYTEST_VERSION}`, 'flit_core==3.12.0'] });
const available = await hasBubblewrap();

/** An environment without pip, made at once; `sees` is put on its import path. */
async function makeVenv({ dir, sees }: { dir: string; sees?: string }): Promise<string> {
  await execa(python, ['-m', 'venv', '--without-pip', dir]);
  const made = join(dir, 'bin', 'python');
  if (sees !== undefined) await writeFile(join(await sitePackages(made), 'sees.pth'), `${sees}\n`);
  return made;
}

async function sitePackages(interpreter: string): Promise<string> {
  const { stdout } = await execa(interpreter, ['-c', 'import sysconfig; print(sysconfig.get_paths()["purelib"])']);
  return stdout;
}

describe('describePython', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), 'testgrad-python-')));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('knows version and runner, and the folders that the environment needs', async () => {
    const description = await describePython({ python, cwd: dir });
    const { stdout } = await execa(python, [
      '-c',
      'import platform, sys; print(platform.python_version(), sys.base_prefix)',
    ]);
    const [version = '', basePrefix = ''] = stdout.split(' ');
    expect(description).toMatchObject({ version, hasPytest: true, runnerVersion: `pytest ${PYTEST_VERSION}` });
    expect(runnerVersionOf({ runner: 'unittest', testCommand: [], description })).toBe(`unittest ${version}`);
    expect(description.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(description.readOnlyPaths).toContain(dirname(dirname(python)));
    if (!basePrefix.startsWith('/usr')) expect(description.readOnlyPaths).toContain(basePrefix);
    expect(await describePython({ python, cwd: dir })).toEqual(description);
  });

  it('has another digest when a distribution is added, and sees no pytest where there is none', async () => {
    const bare = await makeVenv({ dir: join(dir, 'venv') });
    const before = await describePython({ python: bare, cwd: '/nowhere' });
    expect(before).toMatchObject({ hasPytest: false, runnerVersion: `unittest ${before.version}` });
    await mkdir(join(await sitePackages(bare), 'thing-1.0.dist-info'));
    const after = await describePython({ python: bare, cwd: '/nowhere' });
    expect(after.digest).not.toBe(before.digest);
  });

  it('shows what lies elsewhere on the import path, and of the repository only its environment', async () => {
    const other = join(dir, 'other');
    const repository = join(dir, 'repository');
    for (const path of [other, join(repository, 'src')]) await mkdir(path, { recursive: true });
    const inside = await makeVenv({
      dir: join(repository, '.venv'),
      sees: `${other}\n${repository}/src\n${repository}`,
    });
    const { readOnlyPaths } = await describePython({ python: inside, cwd: repository });
    expect(readOnlyPaths).toEqual(expect.arrayContaining([other, join(repository, '.venv')]));
    expect(readOnlyPaths).not.toContain(join(repository, 'src'));
    expect(readOnlyPaths).not.toContain(repository);
    expect(readOnlyPaths.filter((path) => path.startsWith(`${repository}/`))).toEqual([join(repository, '.venv')]);
  });

  it('takes an environment apart that is made in the repository’s root', async () => {
    const inRoot = await makeVenv({ dir });
    const { readOnlyPaths } = await describePython({ python: inRoot, cwd: dir });
    expect(readOnlyPaths).not.toContain(dir);
    expect(readOnlyPaths).toEqual(
      expect.arrayContaining([join(dir, 'bin'), join(dir, 'lib'), join(dir, 'pyvenv.cfg')]),
    );
  });

  it('says what is wrong with an interpreter', async () => {
    await writeFile(join(dir, 'liar'), '#!/bin/sh\necho "I am Python"\n', { mode: 0o755 });
    await writeFile(join(dir, 'failing'), '#!/bin/sh\necho "no luck" >&2; exit 1\n', { mode: 0o755 });
    await writeFile(join(dir, 'plain'), 'text');
    await chmod(join(dir, 'plain'), 0o644);
    const failure = (name: string) => describePython({ python: join(dir, name), cwd: dir }).catch((error) => error);
    for (const name of ['missing', 'plain']) {
      expect(await failure(name)).toBeInstanceOf(EnvironmentError);
      expect(await failure(name)).toMatchObject({ code: 'TG-E08', what: expect.stringContaining(join(dir, name)) });
    }
    expect(await failure('liar')).toBeInstanceOf(SandboxError);
    expect(await failure('liar')).toMatchObject({ code: 'TG-S03' });
    expect(await failure('failing')).toMatchObject({ code: 'TG-S03', what: expect.stringContaining('no luck') });
  });
});

describe.skipIf(!available)('an editable install', () => {
  it('resolves to the candidate’s tree, and tests see the candidate', async () => {
    const ground = await makePlayground({ kind: 'bubblewrap' });
    try {
      const project = '[project]\nname = "thing"\nversion = "1.0"\ndescription = "x"\n';
      const build = '[build-system]\nrequires = ["flit_core==3.12.0"]\nbuild-backend = "flit_core.buildapi"\n';
      const files = {
        'pyproject.toml': `${build}${project}`,
        'src/thing/__init__.py': 'WHO = "original"\n',
        'tests/test_it.py': 'import thing\ndef test_who(): assert thing.WHO == "candidate"\n',
      };
      await writeFiles({ dir: ground.mountAt, files });
      await writeFiles({ dir: ground.treeDir, files: { ...files, 'src/thing/__init__.py': 'WHO = "candidate"\n' } });
      const inside = await makeVenv({ dir: join(ground.mountAt, '.venv'), sees: await sitePackages(python) });
      await execa(python, [
        '-m',
        'pip',
        '--python',
        inside,
        'install',
        '-q',
        '--no-deps',
        '--no-build-isolation',
        '-e',
        ground.mountAt,
      ]);
      const { stdout } = await execa(inside, ['-c', 'import thing; print(thing.WHO, thing.__file__)'], { cwd: '/' });
      expect(stdout).toBe(`original ${ground.mountAt}/src/thing/__init__.py`);

      const outcome = await runTestFile({
        ground,
        kind: 'bubblewrap',
        python: inside,
        file: 'tests/test_it.py',
        probeModules: ['thing', 'pytest'],
      });
      expect(statuses(outcome)).toEqual({ test_who: 'passed/call' });
      expect(outcome.imports).toMatchObject({ thing: 'src/thing/__init__.py', pytest: expect.stringMatching(/^\//) });

      const plain = await runTestFile({
        ground,
        kind: 'none',
        python: inside,
        file: 'tests/test_it.py',
        probeModules: ['thing'],
      });
      // Without the binding the installed copy is tested: the recorded origin shows it.
      expect(statuses(plain)).toEqual({ test_who: 'failed/call' });
      expect(plain.imports).toEqual({ thing: `${ground.mountAt}/src/thing/__init__.py` });
    } finally {
      await ground.remove();
    }
  });

  it('works with an interpreter behind a chain of symbolic links', async () => {
    const ground = await makePlayground({ kind: 'bubblewrap' });
    try {
      const versions = join(ground.dir, 'versions');
      await mkdir(versions);
      const { stdout: base } = await execa(python, ['-c', 'import sys; print(sys.base_prefix)']);
      await symlink(base, join(versions, 'current'));
      const venv = await makeVenv({ dir: join(ground.dir, 'venv'), sees: await sitePackages(python) });
      await rm(venv);
      await symlink(join(versions, 'current', 'bin', 'python3'), venv);
      await writeFiles({ dir: ground.treeDir, files: { 'test_it.py': 'def test_a(): pass\n' } });
      const outcome = await runTestFile({ ground, kind: 'bubblewrap', python: venv, file: 'test_it.py' });
      expect(outcome).toMatchObject({ state: 'ran', outcomes: [{ status: 'passed' }] });
    } finally {
      await ground.remove();
    }
  });
});
