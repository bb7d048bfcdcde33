import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseBase } from '../../src/cli/inputs/choose-base.js';
import { choosePython } from '../../src/cli/inputs/choose-python.js';
import { basePaths } from '../../src/cli/inputs/import-roots.js';
import { nameCandidates, readCandidates } from '../../src/cli/inputs/read-candidates.js';
import { issueTitle, readIssue } from '../../src/cli/inputs/read-issue.js';
import { defaultImportRoots } from '../../src/repository/import-roots.js';
import { inspectRepository } from '../../src/repository/inspect-repository.js';
import { clampPatch, type SampleRepository, sampleRepository } from './sample-repository.js';

let repo: SampleRepository;
beforeEach(() => {
  repo = sampleRepository();
});
afterEach(() => repo.remove());

const named = (patches: readonly string[], branches: readonly string[] = []) =>
  nameCandidates({ patches, branches, allowSingle: false, verb: 'select', cwd: repo.home });

/** Standard input that holds `text`. */
function stdin(text: string): NodeJS.ReadStream {
  const stream = new PassThrough();
  stream.end(text);
  return stream as unknown as NodeJS.ReadStream;
}

test('names come from the flag, else from the file or the branch', () => {
  repo.beside('odd=name.diff', clampPatch('return max(low, min(value, high))'));
  expect(
    named(['a/fix.diff', 'mine=b/fix.diff', 'odd=name.diff', 'c=d=e.diff'], ['fix/claude', 'codex=fix/x']),
  ).toEqual([
    { kind: 'patch', agent: 'fix', given: 'a/fix.diff' },
    { kind: 'patch', agent: 'mine', given: 'b/fix.diff' },
    { kind: 'patch', agent: 'odd=name', given: 'odd=name.diff' },
    { kind: 'patch', agent: 'c', given: 'd=e.diff' },
    { kind: 'branch', agent: 'fix/claude', ref: 'fix/claude' },
    { kind: 'branch', agent: 'codex', ref: 'fix/x' },
  ]);
});

test('none, one, and two of the same name are refused', () => {
  expect(() => named([])).toThrow(expect.objectContaining({ code: 'TG-I00' }));
  expect(() => named(['a.diff'])).toThrow(expect.objectContaining({ code: 'TG-I01' }));
  expect(() => named(['x/fix.diff', 'y/fix.diff'])).toThrow(expect.objectContaining({ code: 'TG-I14' }));
});

test('patches come byte for byte, branches as what they changed since the base', async () => {
  const crlf = clampPatch('return max(low, value)').replace(/\n/g, '\r\n');
  repo.beside('a.diff', crlf);
  repo.git('checkout', '-q', '-b', 'fix');
  repo.write('src/shop/clamp.py', 'def clamp(value, low, high):\n    return sorted([low, value, high])[1]\n');
  repo.git('commit', '-q', '-am', 'fix');
  const read = await readCandidates({
    named: named(['a.diff'], ['fix']),
    cwd: repo.home,
    repoDir: repo.dir,
    base: 'main',
  });
  expect(Buffer.from(read[0]?.bytes ?? []).toString()).toBe(crlf);
  expect(Buffer.from(read[1]?.bytes ?? []).toString()).toContain('+    return sorted([low, value, high])[1]');
});

test('one unusable candidate is left to the run, only unusable ones are refused at once', async () => {
  repo.beside('good.diff', clampPatch('return max(low, value)'));
  repo.beside('empty.diff', '');
  repo.beside('prose.diff', 'I fixed it, see above.\n');
  const read = (files: readonly string[]) =>
    readCandidates({ named: named(files), cwd: repo.home, repoDir: repo.dir, base: 'main' });
  expect(await read(['good.diff', 'empty.diff'])).toHaveLength(2);
  await expect(read(['empty.diff', 'prose.diff'])).rejects.toMatchObject({
    code: 'TG-I02',
    what: expect.stringMatching(/empty: empty.*prose: malformed/),
  });
  await expect(read(['good.diff', 'missing.diff'])).rejects.toMatchObject({ code: 'TG-I03' });
  await expect(read(['good.diff', 'shop'])).rejects.toThrow('it is a folder');
});

test('the base is named, or where the branches left, or HEAD', async () => {
  const root = repo.git('rev-parse', 'HEAD');
  for (const name of ['one', 'two']) {
    repo.git('checkout', '-q', '-b', name, 'main');
    repo.write(`${name}.py`, 'x = 1\n');
    repo.git('add', '-A');
    repo.git('commit', '-q', '-m', name);
  }
  repo.git('checkout', '-q', 'main');
  repo.write('later.py', 'x = 1\n');
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'later');
  const base = (given: string | undefined, branches: readonly string[]) =>
    chooseBase({ given, branches, repoDir: repo.dir });
  expect(await base(undefined, [])).toBe('HEAD');
  expect(await base('v1', ['one'])).toBe('v1');
  expect(await base(undefined, ['a=one', 'two'])).toBe(root);
  expect(await base(undefined, ['one'])).toBe(root);
  await expect(base(undefined, ['nope', 'one'])).rejects.toMatchObject({ code: 'TG-I16' });
});

test('import roots follow the layout of the base commit, not of the working tree', async () => {
  const roots = async (repoDir = repo.dir) => defaultImportRoots(await inspectRepository({ repoDir }));
  expect(await roots()).toEqual(['src']);
  repo.write('src/__init__.py', '');
  expect(await roots()).toEqual(['src']);
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'src is a package');
  expect(await roots()).toEqual(['.']);
  repo.write('packages/core/src/core/__init__.py', '');
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'a package below');
  expect(await roots(join(repo.dir, 'packages/core'))).toEqual(['packages/core/src']);
});

test('paths are relative to --repo and must be in the base', async () => {
  const base = await inspectRepository({ repoDir: join(repo.dir, 'tests') });
  const paths = (...given: string[]) => basePaths({ base, given, flag: '--test-file' });
  expect(await paths('test_clamp.py', './../src/')).toEqual(['tests/test_clamp.py', 'src']);
  repo.write('tests/test_new.py', '');
  for (const wrong of ['test_new.py', '../../outside.py', '/etc/passwd', 'nope.py']) {
    await expect(paths(wrong), wrong).rejects.toMatchObject({ code: 'TG-I14' });
  }
});

test('the interpreter is the named one, that of .venv, that of $VIRTUAL_ENV, or python3, in this order', async () => {
  const program = (path: string): string => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 });
    return path;
  };
  const bin = join(repo.home, 'bin');
  const system = program(join(bin, 'python3'));
  const choose = (given: string | undefined, env: NodeJS.ProcessEnv = { PATH: bin }) =>
    choosePython({ given, repoDir: repo.dir, cwd: repo.home, env });
  expect(await choose(undefined)).toBe(system);
  const virtual = program(join(repo.home, 'venv/bin/python'));
  expect(await choose(undefined, { PATH: bin, VIRTUAL_ENV: join(repo.home, 'venv') })).toBe(virtual);
  mkdirSync(join(repo.dir, '.venv/bin'), { recursive: true });
  symlinkSync(system, join(repo.dir, '.venv/bin/python'));
  expect(await choose(undefined)).toBe(join(repo.dir, '.venv/bin/python'));
  expect(await choose('venv/bin/python')).toBe(virtual);
  expect(await choose('python3')).toBe(system);
  await expect(choose('python2.4')).rejects.toMatchObject({ code: 'TG-E08' });
  await expect(choose('nope/python')).rejects.toMatchObject({ code: 'TG-E08' });
});

test('no Python at all is told with what was looked for', async () => {
  const nothing = choosePython({ given: undefined, repoDir: repo.home, cwd: repo.home, env: { PATH: repo.home } });
  await expect(nothing).rejects.toMatchObject({ code: 'TG-E08', what: expect.stringContaining('python3') });
});

test('an issue comes from a file or from standard input, as text with LF', async () => {
  const file = repo.beside('issue.md', '\ufeff# Title\r\n\r\nBody\r\n\r\n');
  const read = (given: string | undefined, input = '') => readIssue({ given, cwd: repo.home, stdin: stdin(input) });
  expect(await read(file)).toBe('# Title\n\nBody\n');
  expect(await read('-', 'from a pipe')).toBe('from a pipe\n');
  repo.beside('blank.md', ' \n\n');
  repo.beside('image.png', 'PNG\0\0');
  repo.beside('huge.md', 'x'.repeat(1_000_001));
  for (const given of [undefined, '-', 'blank.md', 'image.png', 'huge.md']) {
    await expect(read(given), String(given)).rejects.toMatchObject({ code: 'TG-I11' });
  }
  await expect(read('missing.md')).rejects.toMatchObject({ code: 'TG-I03' });
});

test('titles', () => {
  expect(issueTitle('\n---\n## Clamp   ignores low\nbody')).toBe('Clamp ignores low');
  expect(issueTitle('x'.repeat(100))).toHaveLength(80);
});
