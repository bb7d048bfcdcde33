import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-mine-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const root = join(import.meta.dirname, '..', '..');
const mine = (...argv: readonly string[]) =>
  execa(
    process.execPath,
    [
      '--import',
      pathToFileURL(join(root, 'test/support/ts-source.mjs')).href,
      join(root, 'src/cli/mine/main.ts'),
      ...argv,
    ],
    { cwd: dir, reject: false },
  );

describe('npm run mine', () => {
  it('prints one line of JSON for a file beside the caller', async () => {
    const sequences = ['abx', 'aby', 'zab'].map((word) => [...word]);
    await writeFile(join(dir, 'three.json'), JSON.stringify({ semantics: 'contiguous', minSupport: 2, sequences }));
    const { stdout, exitCode } = await mine('three.json');
    expect(stdout).toBe('{"complete":true,"maximalPatterns":[{"items":["a","b"],"support":3}]}');
    expect(exitCode).toBe(0);
  });

  it('says what is wrong with what it was given', async () => {
    const [missing, none] = await Promise.all([mine('none.json'), mine()]);
    expect(missing).toMatchObject({ exitCode: 2, stdout: '' });
    expect(missing.stderr).toContain('TG-I03  FILE none.json: there is no such file.');
    expect(none).toMatchObject({ exitCode: 2, stdout: '' });
    expect(none.stderr).toContain('One file is expected');
  });
});
