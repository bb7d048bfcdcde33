import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createModelFromEnvironment, type ModelEnvironment } from '../../src/llm/model-from-environment.js';
import { startScriptedModel } from '../support/scripted-model.js';

const create = (env: ModelEnvironment) => createModelFromEnvironment({ env, timeoutMs: 3000 });
const call = {
  request: { model: 'scripted', messages: [{ role: 'user', content: 'hi' }], maxOutputTokens: 5, temperature: null },
  position: { role: 'checker', step: 0, turn: 0 },
  signal: new AbortController().signal,
} as const;

describe('the model that the environment names', () => {
  it('needs a key, except on this machine', () => {
    expect(() => create({})).toThrow(/TG-M01 OPENAI_API_KEY is not set \(endpoint api\.openai\.com:443\)/);
    expect(() => create({})).toThrow(/To try it without a key: npm run demo, in a checkout\./);
    expect(() => create({ OPENAI_API_KEY: '  ' })).toThrow(/TG-M01/);
    expect(() => create({ OPENAI_BASE_URL: 'https://llm.example/v1' })).toThrow(/TG-M01/);
    expect(() => create({ OPENAI_BASE_URL: 'http://127.0.0.1.example/v1' })).toThrow(/TG-M01/);
    for (const host of ['127.0.0.1:8790', 'localhost:11434', '[::1]:8000']) {
      expect(() => create({ OPENAI_BASE_URL: `http://${host}/v1` })).not.toThrow();
    }
  });

  it.each(['not a url', 'file:///etc/passwd', 'localhost:8000/v1'])('is not at %s', (url) => {
    expect(() => create({ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: url })).toThrow(/TG-I14 OPENAI_BASE_URL/);
  });

  it('is not asked with a broken key, which is not shown', () => {
    const key = 'sk-abc def\nghi';
    expect(() => create({ OPENAI_API_KEY: key })).toThrow(/TG-I14 OPENAI_API_KEY/);
    expect(() => create({ OPENAI_API_KEY: key })).not.toThrow(/abc/);
  });

  it('is recorded and replayed by two variables', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'testgrad-env-'));
    const file = join(folder, 'session.json');
    const server = await startScriptedModel({ script: () => ({ content: 'recorded' }) });
    const recorded = await create({
      OPENAI_API_KEY: ' sk-key-with-a-line-break\n',
      OPENAI_BASE_URL: server.baseUrl,
      TESTGRAD_RECORD: file,
    }).complete(call);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-key-with-a-line-break');
    await server.close();
    expect(await create({ TESTGRAD_REPLAY: file, OPENAI_API_KEY: '' }).complete(call)).toEqual(recorded);
    await rm(folder, { recursive: true });
  });
});
