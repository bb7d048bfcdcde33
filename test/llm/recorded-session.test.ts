import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestgradError } from '../../src/errors.js';
import type { CallPosition, ChatModel, ChatRequest } from '../../src/llm/chat.js';
import { createOpenAiModel } from '../../src/llm/openai-model.js';
import { digestOfRequest, recordSession, replaySession } from '../../src/llm/recorded-session.js';
import { readSession } from '../../src/llm/session-file.js';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.js';

let folder: string;
let file: string;
let server: ScriptedModel;
let endpoint: ChatModel;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'testgrad-session-'));
  file = join(folder, 'sessions', 'session.json');
  server = await startScriptedModel({
    script: ({ messages }, n) => ({ content: `answer ${n} to ${messages[0]?.content}` }),
  });
  endpoint = createOpenAiModel({ apiKey: 'sk-secret-secret-secret', baseUrl: server.baseUrl, timeoutMs: 5000 });
});

afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const request = (text: string): ChatRequest => ({
  model: 'scripted',
  messages: [{ role: 'user', content: text }],
  maxOutputTokens: 50,
  temperature: null,
});
const at = (turn: number, more: Partial<CallPosition> = {}): CallPosition => ({
  role: 'optimizer',
  step: 1,
  turn,
  ...more,
});
const ask = (model: ChatModel, text: string, position: CallPosition) =>
  model.complete({ request: request(text), position, signal: new AbortController().signal });

describe('a recorded session', () => {
  it('replays every answer without a network, and tells drift', async () => {
    const recorder = recordSession({ inner: endpoint, file });
    const first = await ask(recorder, 'one', at(0));
    const second = await ask(recorder, 'two', at(1));
    await server.close();

    const replay = replaySession({ file });
    expect(await ask(replay, 'one', at(0))).toEqual(first);
    expect(await ask(replay, 'two', at(1))).toEqual({ ...second, drifted: false });
    expect(await ask(replay, 'two, changed', at(1))).toEqual({ ...second, drifted: true });
  });

  it('has an answer for its positions only', async () => {
    await ask(recordSession({ inner: endpoint, file }), 'one', at(0));
    const replay = replaySession({ file });
    for (const position of [at(1), at(0, { step: 2 }), at(0, { role: 'judge' }), at(0, { instance: 'other' })]) {
      await expect(ask(replay, 'one', position)).rejects.toMatchObject({
        code: 'TG-M08',
        fix: expect.stringContaining('TESTGRAD_RECORD'),
      });
    }
  });

  it('keeps answers and digests, no text of a request and no key', async () => {
    await ask(recordSession({ inner: endpoint, file }), 'a private issue', at(0));
    const text = await readFile(file, 'utf8');
    // The scripted answer repeats the request, so look at everything but the answer.
    const session = JSON.parse(text);
    expect(session.entries[0].answer.content).toContain('a private issue');
    session.entries[0].answer = null;
    expect(JSON.stringify(session)).not.toContain('private');
    expect(text).not.toContain('secret');
    expect(session).toMatchObject({
      schema: 'testgrad.session/1',
      model: 'scripted',
      entries: [{ position: at(0), requestDigest: digestOfRequest(request('a private issue')) }],
    });
  });

  it('answers a call that it holds already, and asks anew where the request changed', async () => {
    const first = await ask(recordSession({ inner: endpoint, file }), 'one', at(0));
    const again = recordSession({ inner: endpoint, file });
    expect(await ask(again, 'one', at(0))).toEqual(first);
    expect(server.count()).toBe(1);
    const changed = await ask(again, 'one, changed', at(0));
    expect(changed.content).toBe('answer 2 to one, changed');
    expect((await readSession({ file })).entries.map(({ answer }) => answer.content)).toEqual([changed.content]);
  });

  it('can be written by several at once; entries are sorted, nothing is lost or left behind', async () => {
    const turns = Array.from({ length: 24 }, (_, turn) => turn);
    const recorders = turns.map(() => recordSession({ inner: endpoint, file }));
    await Promise.all(turns.map((turn) => ask(recorders[turn] as ChatModel, `turn ${turn}`, at(turn))));
    const { entries } = await readSession({ file });
    expect(entries.map(({ position }) => position.turn)).toEqual(turns);
    expect(await readdir(join(folder, 'sessions'))).toEqual(['session.json']);
  });

  it('sets aside the lock of a process that died', async () => {
    await ask(recordSession({ inner: endpoint, file }), 'one', at(0));
    await writeFile(`${file}.lock`, '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(`${file}.lock`, longAgo, longAgo);
    await ask(recordSession({ inner: endpoint, file }), 'two', at(1));
    expect((await readSession({ file })).entries).toHaveLength(2);
  });

  it('does not keep failures', async () => {
    await server.close();
    await expect(ask(recordSession({ inner: endpoint, file }), 'one', at(0))).rejects.toMatchObject({ code: 'TG-M07' });
    await expect(readSession({ file })).rejects.toMatchObject({ code: 'TG-I03' });
  });

  it.each(['not json', '{}', '{"schema":"testgrad.session/2","model":"x","entries":[]}'])(
    'is not overwritten or replayed when it is something else: %s',
    async (text) => {
      const other = join(folder, 'notes.json');
      await writeFile(other, text);
      await expect(ask(replaySession({ file: other }), 'one', at(0))).rejects.toMatchObject({ code: 'TG-M08' });
      await expect(ask(recordSession({ inner: endpoint, file: other }), 'one', at(0))).rejects.toBeInstanceOf(
        TestgradError,
      );
      expect(server.count()).toBe(0);
      expect(await readFile(other, 'utf8')).toBe(text);
    },
  );
});

describe('the digest of a request', () => {
  it('does not depend on the order of keys, and on everything else', () => {
    const one = request('one');
    const { model, messages, ...rest } = one;
    expect(digestOfRequest({ ...rest, messages, model })).toBe(digestOfRequest(one));
    expect(digestOfRequest({ ...one, tools: undefined })).toBe(digestOfRequest(one));
    const variants = [
      one,
      { ...one, model: 'other' },
      { ...one, temperature: 0 },
      { ...one, seed: 1 },
      { ...one, maxOutputTokens: 51 },
      { ...one, tools: [{ name: 'f', description: '', parameters: {} }] },
      request('two'),
    ];
    expect(new Set(variants.map(digestOfRequest)).size).toBe(variants.length);
  });
});
