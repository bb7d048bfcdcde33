import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { closeKeys } from '../../src/cli/config/close-keys.js';
import { CONFIG_KEYS } from '../../src/cli/config/config-keys.js';
import { findConfig } from '../../src/cli/config/find-config.js';
import { parseConfig } from '../../src/cli/config/read-config.js';
import { starterConfig } from '../../src/cli/config/starter-config.js';
import { readOptionValues } from '../../src/cli/option-values.js';
import { runCli } from './run-cli.js';
import { type SampleRepository, sampleRepository } from './sample-repository.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'testgrad-config-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const PATH = '/repo/testgrad.config.yaml';
const names = CONFIG_KEYS.map(({ name }) => name);
const read = (text: string, { flags = {}, env = {} }: { flags?: object; env?: NodeJS.ProcessEnv } = {}) =>
  readOptionValues({ names, flags: { ...flags }, env, file: parseConfig({ text, path: PATH }) });

test('flag wins over environment, environment over file, file over default; each says where it is from', () => {
  const text = 'steps: 3\nmodel: from-file\n';
  const env = { TESTGRAD_MODEL: 'from-env' };
  expect(read(text).text('model')).toBe('from-file');
  expect(read(text).source('model')).toBe('testgrad.config.yaml:2 model');
  expect(read(text, { env }).text('model')).toBe('from-env');
  expect(read(text, { env }).source('model')).toBe('TESTGRAD_MODEL');
  expect(read(text, { env, flags: { model: 'from-flag' } }).text('model')).toBe('from-flag');
  expect(read(text, { flags: { steps: '5' } }).count('steps')).toBe(5);
  expect(read(text).count('steps')).toBe(3);
  expect([read(text).count('seed'), read(text).source('seed')]).toEqual([undefined, null]);
});

test('texts are one or a list, a switch is true or false, and a number may stand for a text', () => {
  expect(read('python-path: lib').texts('pythonPath')).toEqual(['lib']);
  expect(read('python-path: [a, b]').texts('pythonPath')).toEqual(['a', 'b']);
  expect(read('max-usd: 2.5').text('maxUsd')).toBe('2.5');
  expect(read('require-differential: false').on('requireDifferential')).toBe(false);
  expect(read('require-differential: true').on('requireDifferential')).toBe(true);
  expect(read('python: ./env/bin/python').text('python')).toBe('/repo/env/bin/python');
  expect(read('dockerfile: ci/Dockerfile').text('dockerfile')).toBe('/repo/ci/Dockerfile');
  expect(read('python: python3.12').text('python')).toBe('python3.12');
  expect(read('# nothing\n').text('model')).toBeUndefined();
});

test.each([
  ['stpes: 3', 'testgrad.config.yaml:1 stpes: unknown key, did you mean steps?'],
  ['version: 1\nmodle: m', 'testgrad.config.yaml:2 modle: unknown key, did you mean model?'],
  ['colour: red', 'testgrad.config.yaml:1 colour: unknown key\n'],
  ['steps: -1', 'testgrad.config.yaml:1 steps: must be a whole number, at least 0'],
  ['steps: "3"', 'testgrad.config.yaml:1 steps: must be a whole number'],
  ['preset: fast', 'testgrad.config.yaml:1 preset: must be paper or balanced'],
  ['python-path: {a: 1}', 'testgrad.config.yaml:1 python-path: must be a text or a list of texts'],
  ['require-differential: yes please', 'testgrad.config.yaml:1 require-differential: must be true or false'],
  ['version: 2', 'testgrad.config.yaml:1 version: must be 1'],
  ['- steps', 'must be keys with values'],
  ['steps: 3\nsteps: 4', 'testgrad.config.yaml:2'],
  ['model: "open', 'testgrad.config.yaml:1'],
  // What comes with a repository turns no protection off, chooses no state folder and no endpoint.
  ['sandbox: none', 'only the flag --sandbox'],
  ['home: /', 'only the flag --home'],
])('%j is a mistake that names its line', (text, says) => {
  const attempt = (): unknown => parseConfig({ text, path: PATH });
  expect(attempt).toThrow(expect.objectContaining({ code: 'TG-I13' }));
  expect(attempt).toThrow(`${says}`.trimEnd());
});

test('all mistakes are told at once', () => {
  expect(() => parseConfig({ text: 'stpes: 1\nseed: x\n', path: PATH })).toThrow(
    /:1 stpes[\s\S]*:2 seed|:2 seed[\s\S]*:1 stpes/,
  );
});

test('close keys are those within two slips', () => {
  const known = ['steps', 'seed', 'setup', 'max-tokens'];
  expect(closeKeys({ key: 'stesp', known })).toEqual(['steps', 'setup']);
  expect(closeKeys({ key: 'max_tokens', known })).toEqual(['max-tokens']);
  expect(closeKeys({ key: 'elephant', known })).toEqual([]);
});

test('the file is looked for up to the root of the repository and no further', async () => {
  const below = join(dir, 'repo', 'a', 'b');
  mkdirSync(join(dir, 'repo', '.git'), { recursive: true });
  mkdirSync(below, { recursive: true });
  writeFileSync(join(dir, 'testgrad.config.yaml'), '');
  expect(await findConfig(below)).toBeNull();
  writeFileSync(join(dir, 'repo', 'testgrad.config.yaml'), '');
  expect(await findConfig(below)).toBe(join(dir, 'repo', 'testgrad.config.yaml'));
  const outside = join(dir, 'plain', 'deep');
  mkdirSync(outside, { recursive: true });
  expect(await findConfig(outside)).toBeNull();
  writeFileSync(join(outside, 'testgrad.config.yaml'), '');
  expect(await findConfig(outside)).toBe(join(outside, 'testgrad.config.yaml'));
});

test('a starter file is valid, and stays valid when any of its comments is taken away', () => {
  const text = starterConfig({ repository: 'shop', found: { 'test-cmd': 'python -m pytest', 'python-path': ['src'] } });
  expect(parse(text)).toEqual({ version: 1, 'test-cmd': 'python -m pytest', 'python-path': ['src'] });
  const offered = text.split('\n').filter((line) => /^# [a-z-]+: /.test(line) && !line.startsWith('# paper'));
  expect(offered.length).toBeGreaterThan(8);
  for (const line of offered) {
    expect(() => parseConfig({ text: text.replace(line, line.slice(2)), path: PATH }), line).not.toThrow();
  }
});

let repo: SampleRepository;
beforeAll(() => {
  repo = sampleRepository();
});
afterAll(() => repo.remove());
const cli = (...args: string[]) => runCli({ args, home: repo.home, cwd: join(repo.dir, 'tests') });

test('init writes a file for the repository, config show tells its lines, and a second init refuses', async () => {
  const file = join(repo.dir, 'testgrad.config.yaml');
  expect(await cli('init')).toMatchObject({ exitCode: 0, stdout: `Wrote ${file}\n` });
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1, 'python-path': ['src'] });
  const shown = JSON.parse((await cli('config', 'show', '--json')).stdout);
  expect(shown).toMatchObject({ schema: 'testgrad.config-show/1', file });
  expect(shown.settings).toContainEqual({
    key: 'python-path',
    value: ['src'],
    source: expect.stringMatching(/^testgrad\.config\.yaml:\d+ python-path$/),
  });
  expect(shown.settings).toContainEqual({ key: 'steps', value: '8', source: 'default' });
  const again = await cli('init');
  expect(again).toMatchObject({ exitCode: 2, stdout: '' });
  expect(again.stderr).toMatch(/^TG-I13 .*is there already[\s\S]*Fix:/);
}, 60_000);

test('a mistake in the file stops a run before it starts, with --config another file is read, and config schema still answers', async () => {
  writeFileSync(join(repo.dir, 'testgrad.config.yaml'), 'stepps: 3\n');
  repo.beside('other.yaml', 'steps: 0\npreset: worst\n');
  const broken = await cli('status');
  expect(broken).toMatchObject({ exitCode: 2, stdout: '' });
  expect(broken.stderr).toMatch(/^TG-I13 {2}testgrad\.config\.yaml:1 stepps: unknown key, did you mean steps\?/);
  const other = await cli('status', '--config', join(repo.home, 'other.yaml'));
  expect(other.stderr).toMatch(/^TG-I13 {2}other\.yaml:2 preset/);
  const missing = await cli('status', '--config', 'nowhere.yaml');
  expect(missing.stderr).toMatch(/^TG-I03 /);
  const schema = JSON.parse((await cli('config', 'schema')).stdout);
  expect(schema).toMatchObject({ additionalProperties: false, properties: { steps: { type: 'integer', minimum: 0 } } });
}, 60_000);
