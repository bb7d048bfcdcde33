import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeProblem } from '../../src/cli/node-version.js';
import { runCli } from './run-cli.js';

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'testgrad-cli-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const cli = (...args: string[]) => runCli({ args, home });

test('help and version go to standard output and succeed', async () => {
  const help = await cli('--help');
  expect(help).toMatchObject({ exitCode: 0, stderr: '' });
  expect(help.stdout).toContain('Exit codes:');
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await cli('--version')).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});

test('an unknown flag and an unknown verb name the nearest', async () => {
  const flag = await cli('select', '--stps', '3');
  expect(flag).toMatchObject({ exitCode: 2, stdout: '' });
  expect(flag.stderr).toMatch(/^TG-I14 {2}Unknown option '--stps'\.[\s\S]*Did you mean --steps\?/);
  const verb = await cli('selec');
  expect(verb.exitCode).toBe(2);
  expect(verb.stderr).toContain('Did you mean select?');
});

test('no verb, a missing argument and one too many are bad usage', async () => {
  expect((await cli()).exitCode).toBe(2);
  expect(await cli('apply')).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await cli('up', 'now')).toMatchObject({ exitCode: 2, stdout: '' });
});

test('every code has an explanation, and an unknown one is bad usage', async () => {
  const all = await cli('explain', '--json');
  const { errors } = JSON.parse(all.stdout) as { errors: { code: string; explanation: string; title: string }[] };
  expect(errors.length).toBeGreaterThan(30);
  for (const { code, title, explanation } of errors) expect(title && explanation, code).toBeTruthy();
  expect((await cli('explain', 'tg-s08')).stdout).toContain('--python-path');
  expect((await cli('explain', 'TG-Z99')).exitCode).toBe(2);
});

test('runs that do not exist are told apart from runs that are not unique', async () => {
  const verbs = ['show', 'report', 'watch', 'cancel', 'apply'];
  const results = await Promise.all(verbs.map((verb) => cli(verb, 'last')));
  for (const [index, result] of results.entries()) {
    expect(result, verbs[index]).toMatchObject({ exitCode: 2, stdout: '' });
    expect(result.stderr).toMatch(/^TG-R05 /);
  }
});

test('help does not wait for what only runs need', () => {
  const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
  const loader = new URL('../support/ts-source.mjs', import.meta.url).pathname;
  const record = `import { registerHooks } from 'node:module'; import { writeSync } from 'node:fs';
    const seen = []; registerHooks({ load(url, context, next) { seen.push(url); return next(url, context); } });
    process.on('exit', () => writeSync(2, seen.join('\\n')));`;
  const hook = `data:text/javascript,${encodeURIComponent(record.replace('\\\\n', '\\n'))}`;
  const { stderr, status } = spawnSync(
    process.execPath,
    ['--import', loader, '--import', hook, main, 'select', '--help'],
    {
      encoding: 'utf8',
    },
  );
  expect(status).toBe(0);
  const packages = new Set([...stderr.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].map((found) => found[1]));
  expect([...packages]).toEqual(['commander']);
});

test('looking around starts nothing and creates nothing', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'testgrad-cli-empty-'));
  try {
    expect(await runCli({ args: ['status'], home: empty })).toMatchObject({ exitCode: 0, stderr: '' });
    const json = await runCli({ args: ['status', '--json'], home: empty });
    expect(JSON.parse(json.stdout)).toEqual({ schema: 'testgrad.status/1', runs: [] });
    expect((await runCli({ args: ['down'], home: empty })).stdout).toBe('Nothing was running.\n');
    expect(execFileSync('ls', ['-A', empty], { encoding: 'utf8' })).toBe('');
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
});

test('a Node that is too old is told what is needed', () => {
  expect(nodeProblem('24.21.0')).toBeNull();
  expect(nodeProblem('22.12.0')).toBeNull();
  for (const old of ['22.11.0', '20.20.2', '8.0.0']) expect(nodeProblem(old)).toMatch(/^TG-E06[\s\S]*22\.12/);
});

test('a reader that closes the pipe early is no failure', () => {
  const main = new URL('../../src/cli/main.ts', import.meta.url).pathname;
  const loader = new URL('../support/ts-source.mjs', import.meta.url).pathname;
  const command = `"${process.execPath}" --import "${loader}" "${main}" explain --json | head -1; echo "\${PIPESTATUS[0]}"`;
  const output = execFileSync('bash', ['-c', command], { encoding: 'utf8', env: { PATH: process.env.PATH ?? '' } });
  expect(output).toBe('{\n0\n');
});
