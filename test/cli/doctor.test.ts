import { rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAll, type Check, ok } from '../../src/cli/doctor/check.js';
import { runCli } from './run-cli.js';
import { type SampleRepository, sampleRepository } from './sample-repository.js';

let repo: SampleRepository;
let endpoint: Server;
let baseUrl: string;
const asked: { model: string; max_tokens: number }[] = [];
beforeAll(async () => {
  repo = sampleRepository();
  endpoint = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const question = JSON.parse(body || '{}');
      asked.push(question);
      response.setHeader('content-type', 'application/json');
      if (question.model === 'silent') return;
      if (question.model === 'gone') {
        response.statusCode = 401;
        response.end('{"error":{"message":"bad key"}}');
        return;
      }
      const message = { role: 'assistant', content: 'ok' };
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => endpoint.once('listening', resolve));
  baseUrl = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  endpoint.closeAllConnections();
  endpoint.close();
  repo.remove();
});

async function doctor({ args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> }) {
  const result = await runCli({
    args: ['doctor', '--json', ...args],
    home: repo.home,
    cwd: repo.dir,
    env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'sk-0123456789abcdef', ...env },
  });
  const document = JSON.parse(result.stdout) as { ok: boolean; checks: Check[] };
  const named = new Map(document.checks.map((check) => [check.name, check]));
  return { ...result, ok: document.ok, named };
}

// Another's load may make one check miss its limit.
const LOADED = { retry: 2, timeout: 30_000 };

test('every part is looked at, the model gets one tiny call, and nothing is started', LOADED, async () => {
  asked.length = 0;
  const { named, stdout, stderr } = await doctor({ args: ['--model', 'gpt-5-mini'] });
  const names = ['Node', 'git', 'Python', 'bubblewrap', 'Docker', 'state', 'Temporal', 'attributes', 'worker', 'model'];
  expect([...named.keys()]).toEqual(names);
  expect(named.get('model')).toMatchObject({ state: 'ok', says: expect.stringContaining('$0.25 in, $2 out') });
  expect(asked).toMatchObject([{ model: 'gpt-5-mini', max_tokens: 16 }]);
  expect(named.get('git')).toMatchObject({ state: 'ok', fix: '' });
  expect(named.get('Temporal')?.says).toMatch(/no server runs/);
  for (const check of named.values()) if (check.state !== 'ok') expect(check.fix, check.name).not.toBe('');
  expect(stdout + stderr).not.toContain('0123456789abcdef');
});

test.each([
  ['a price that is not known is a warning', { args: ['--model', 'homemade'] }, 'model', 'warn', /TESTGRAD_PRICE/],
  ['no model is a warning', {}, 'model', 'warn', /--model NAME/],
  ['a refused key fails', { args: ['--model', 'gone'] }, 'model', 'fail', /OPENAI_API_KEY/],
  ['a recorded session needs no endpoint', { env: { TESTGRAD_REPLAY: '/s.json' } }, 'model', 'ok', /^$/],
  ['a server that does not answer', { env: { TEMPORAL_ADDRESS: '127.0.0.1:9' } }, 'Temporal', 'fail', /testgrad up/],
  ['no Docker is a warning', { env: { DOCKER_HOST: 'tcp://127.0.0.1:9' } }, 'Docker', 'warn', /Only images need it/],
  ['an interpreter that is not there', { args: ['--python', './nope'] }, 'Python', 'fail', /--python/],
  ['a state folder that cannot be', { args: ['--home', '/dev/null/x'] }, 'state', 'fail', /TESTGRAD_HOME/],
] as const)('%s', LOADED, async (_, call, name, state, fix) => {
  const found = await doctor(call);
  expect(found.named.get(name)).toMatchObject({ state, fix: expect.stringMatching(fix) });
  if (state === 'fail') expect([found.exitCode === 0, found.ok]).toEqual([false, false]);
});

test('the exit code is that of the first failure', async () => {
  const found = await doctor({ args: ['--model', 'gone'] });
  const failed = [...found.named.values()].filter(({ state }) => state === 'fail');
  expect(failed.at(-1)).toMatchObject({ name: 'model', code: 'TG-M02' });
  if (failed.length === 1) expect(found.exitCode).toBe(4);
}, 30_000);

test('what does not answer costs the limit, once, and what breaks is told', async () => {
  const startedMs = Date.now();
  const silent = { look: () => new Promise<never>(() => undefined) };
  const checks = await askAll({
    limitMs: 200,
    questions: [
      { name: 'a', ...silent },
      { name: 'b', ...silent },
      { name: 'c', look: async () => ok('fine') },
      { name: 'd', look: () => Promise.reject(new Error('broke')) },
    ],
  });
  expect(Date.now() - startedMs).toBeLessThan(2_000);
  expect(checks.map(({ state }) => state)).toEqual(['warn', 'warn', 'ok', 'fail']);
  expect(checks[3]).toMatchObject({ says: 'broke', code: 'TG-X01' });
});

test('the runner that the settings name decides what the interpreter must have', LOADED, async () => {
  writeFileSync(join(repo.dir, 'testgrad.config.yaml'), 'test-cmd: python -m unittest\n');
  try {
    const { named } = await doctor({});
    expect(named.get('Python')).toMatchObject({ state: 'ok', says: expect.stringContaining(' for unittest: ') });
  } finally {
    rmSync(join(repo.dir, 'testgrad.config.yaml'));
  }
});
