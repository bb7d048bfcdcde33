import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = (name: string): string => pathToFileURL(join(import.meta.dirname, '..', '..', 'scripts', name)).href;

let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-scripts-'));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

/** Runs module code in a process of its own and returns what it printed. */
async function runModule(code: string): Promise<string> {
  return (await execa(process.execPath, ['--input-type=module', '--eval', code])).stdout;
}

test('scripts that wait for the same lock run one after the other, and a dead holder is no obstacle', async () => {
  const lock = join(dir, 'lock');
  const log = join(dir, 'log');
  const gone = await execa(process.execPath, ['-e', 'console.log(process.pid)']);
  const leave = `
    import { mkdirSync, writeFileSync } from 'node:fs';
    mkdirSync('${lock}'); writeFileSync('${lock}/pid', '${gone.stdout}');`;
  await runModule(leave);
  const code = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { withLock } from '${script('lock.mjs')}';
    await withLock({ dir: '${lock}', work: async () => {
      appendFileSync('${log}', 'in ');
      await sleep(50);
      appendFileSync('${log}', 'out ');
    } });`;
  await Promise.all([1, 2, 3].map(() => runModule(code)));
  expect(await readFile(log, 'utf8')).toBe('in out '.repeat(3));
});

test('what tests leave running is found by its folder and ended, and nothing else', async () => {
  const start = (folder: string) =>
    spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH, TMPDIR: folder } });
  const [left, other] = [start(dir), start(`${dir}-other`)];
  const ends = new Promise((resolve) => left.once('exit', (_, signal) => resolve(signal)));
  try {
    const found = await runModule(`
      import { endNow } from '${script('leftovers.mjs')}';
      console.log(JSON.stringify(await endNow({ scratch: '${dir}' })));`);
    expect(JSON.parse(found)).toMatchObject([{ pid: left.pid }]);
    expect(await ends).toBe('SIGKILL');
    expect(other.exitCode).toBeNull();
    expect(other.signalCode).toBeNull();
  } finally {
    other.kill('SIGKILL');
  }
});

test('an unknown verb is told on stderr only', async () => {
  const main = join(import.meta.dirname, '..', '..', 'scripts', 'run.mjs');
  const unknown = await execa(process.execPath, [main, 'nonsense'], { reject: false });
  expect(unknown).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining('Usage') });
});

test('packages behind a link belong to somebody else and are not replaced', async () => {
  const root = join(import.meta.dirname, '..', '..');
  const [checkout, shared] = [join(dir, 'checkout'), join(dir, 'shared')];
  await Promise.all([mkdir(checkout), mkdir(join(shared, 'kept'), { recursive: true })]);
  await cp(join(root, 'scripts'), join(checkout, 'scripts'), { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) await cp(join(root, name), join(checkout, name));
  await symlink(shared, join(checkout, 'node_modules'));
  const main = join(checkout, 'scripts', 'run.mjs');
  const ran = await execa(process.execPath, [main, 'testgrad', '--version'], { reject: false });
  expect(ran).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(`is a link to ${shared}`) });
  expect(await readdir(shared)).toEqual(['kept']);
});

test.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'where Docker cannot be had the reason is one line: what is missing, and what apt says',
  async () => {
    const reasonWith = async (): Promise<string> => {
      const code = `
        import { prepareDockerd } from '${script('dockerd.mjs')}';
        process.env.PATH = '${dir}';
        console.log(prepareDockerd());`;
      return runModule(code);
    };
    await symlink('/bin/sh', join(dir, 'sh'));
    const missing = 'dockerd, docker, iptables, debootstrap not installed';
    expect(await reasonWith()).toBe(`${missing}, and there is no apt-get`);
    const apt = '#!/bin/sh\necho noise >&2\necho "E: Unable to locate package docker.io" >&2\nexit 100\n';
    await writeFile(join(dir, 'apt-get'), apt, { mode: 0o755 });
    expect(await reasonWith()).toBe(
      `${missing}, and apt-get could not install docker.io, iptables, debootstrap: E: Unable to locate package docker.io`,
    );
  },
);
