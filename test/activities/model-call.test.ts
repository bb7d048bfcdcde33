import { beforeEach, expect, test } from 'vitest';
import { callModel, type ModelCall } from '../../src/activities/model-call.js';
import type { Services } from '../../src/activities/services.js';
import { createWorkspacePool } from '../../src/activities/workspace-pool.js';
import { createMemoryStore } from '../../src/artifacts/memory-store.js';
import type { ArtifactStore } from '../../src/artifacts/store.js';
import type { ChatMessage } from '../../src/core/chat.js';
import { presetSettings } from '../../src/core/settings.js';
import { ModelError } from '../../src/errors.js';
import type { ChatModel, Completion } from '../../src/llm/chat.js';
import { activityEnvironment, asActivity } from '../support/activity-bench.js';
import { until } from '../support/until.js';

let store: ArtifactStore;
let asked = 0;
beforeEach(() => {
  store = createMemoryStore();
  asked = 0;
});

const answer = (content: string): Completion => ({
  content,
  toolCalls: [],
  finishReason: 'stop',
  usage: { inputTokens: 100, cachedTokens: 20, outputTokens: 7 },
  drifted: false,
});

/** A model that does one thing after the other, and then always the last. */
function model(...behaviours: readonly ((signal: AbortSignal) => Promise<Completion>)[]): ChatModel {
  return {
    complete: ({ signal }) => {
      const behave = behaviours[Math.min(asked, behaviours.length - 1)];
      asked += 1;
      if (behave === undefined) throw new Error('no behaviour');
      return behave(signal);
    },
  };
}

const answers = (content: string) => async () => answer(content);
const dies = async () => {
  throw new Error('socket closed with the process');
};
const refuses = async () => {
  throw new ModelError({ code: 'TG-M04', what: 'slow down', meaning: '', fix: '', retryAfterMs: 1000 });
};

function call(chat: ChatModel, change: Partial<ModelCall> = {}) {
  const services: Services = {
    store,
    home: '/nowhere',
    model: async () => chat,
    workspaces: createWorkspacePool({ maxIdle: 0 }),
    priceOverride: undefined,
    stopping: new AbortController().signal,
  };
  const settings = presetSettings({ preset: 'balanced', model: 'm' });
  return callModel({
    services,
    run: { runId: 'run', instance: { digest: '', bytes: 0, mediaType: '' }, settings },
    role: 'optimizer',
    step: 1,
    turn: 1,
    request: { model: 'm', messages: [{ role: 'user', content: 'Hello' }], maxOutputTokens: 100, temperature: null },
    ...change,
  });
}

test('an answer is asked for once: the next attempt, and the next worker, have it from the store', async () => {
  const first = await asActivity(() => call(model(answers('one'))));
  const second = await asActivity(() => call(model(answers('two'))));
  expect(asked).toBe(1);
  expect(second).toEqual({ ...first, stored: true });
  expect(second.answer.content).toBe('one');
  expect(second.usage).toMatchObject({ calls: 1, inputTokens: 100, cachedTokens: 20, outputTokens: 7 });
});

test('another turn, run, seed or question is another call', async () => {
  const chat = model(answers('an answer'));
  const settings = { ...presetSettings({ preset: 'balanced', model: 'm' }), seed: 2 };
  const instance = { digest: '', bytes: 0, mediaType: '' };
  const asks: readonly Partial<ModelCall>[] = [
    {},
    { turn: 2 },
    { step: 2 },
    { role: 'judge' },
    { run: { runId: 'other', instance, settings: { ...settings, seed: 1 } } },
    { run: { runId: 'run', instance, settings } },
    { request: { model: 'm', messages: [{ role: 'user', content: 'Hi' }], maxOutputTokens: 100, temperature: null } },
  ];
  for (const change of asks) expect((await asActivity(() => call(chat, change))).stored).toBe(false);
  expect(asked).toBe(asks.length);
});

test('an answer that was lost with its worker may be paid twice, and that is counted for good', async () => {
  const chat = model(dies, dies, answers('at last'));
  await expect(asActivity(() => call(chat))).rejects.toThrow('socket closed');
  await expect(asActivity(() => call(chat))).rejects.toThrow('socket closed');
  expect((await asActivity(() => call(chat))).usage.possibleDuplicates).toBe(2);
  expect(await asActivity(() => call(chat))).toMatchObject({ stored: true, usage: { possibleDuplicates: 2 } });
  expect(asked).toBe(3);
});

test('a crash between an answer and its storage is such a loss', async () => {
  const chat = model(answers('lost'), answers('kept'));
  const { bind } = store;
  store = { ...store, bind: () => Promise.reject(new Error('killed')) };
  await expect(asActivity(() => call(chat))).rejects.toThrow('killed');
  store = { ...store, bind };
  const kept = await asActivity(() => call(chat));
  expect(kept).toMatchObject({ answer: { content: 'kept' }, usage: { possibleDuplicates: 1 } });
});

test('what the endpoint refused was not paid', async () => {
  const chat = model(refuses, refuses, answers('now'));
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await expect(asActivity(() => call(chat))).rejects.toMatchObject({ code: 'TG-M04', retryAfterMs: 1000 });
  }
  expect((await asActivity(() => call(chat))).usage.possibleDuplicates).toBe(0);
});

test('of two attempts at one time the first answer counts for both, and both calls are in the books', async () => {
  let release = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    release = resolve;
  });
  const chat = model(async () => {
    await late;
    return answer('late');
  }, answers('first'));
  const zombie = asActivity(() => call(chat));
  await until({ what: 'the call', done: () => asked > 0 });
  const winner = await asActivity(() => call(chat));
  release();
  expect(winner.answer.content).toBe('first');
  expect(await zombie).toMatchObject({ answer: { content: 'first' }, usage: { possibleDuplicates: 1 } });
  // The other way round too: who had asked first did not know of the second.
  let bound = (): void => undefined;
  const firstIsBound = new Promise<void>((resolve) => {
    bound = resolve;
  });
  asked = 0;
  const other = { turn: 2 };
  const slow = model(
    async () => {
      await until({ what: 'the second call', done: () => asked > 1 });
      return answer('slow');
    },
    async () => {
      await firstIsBound;
      return answer('replacement');
    },
  );
  const stale = asActivity(() => call(slow, other));
  await until({ what: 'the call', done: () => asked > 0 });
  const replacement = asActivity(() => call(slow, other));
  expect(await stale).toMatchObject({ answer: { content: 'slow' }, usage: { possibleDuplicates: 0 } });
  bound();
  expect(await replacement).toMatchObject({ answer: { content: 'slow' }, usage: { possibleDuplicates: 1 } });
});

test('a cancelled activity aborts its call', async () => {
  const env = activityEnvironment();
  const chat = model(
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  const running = asActivity(() => call(chat), { env });
  await until({ what: 'the call', done: () => asked > 0 });
  env.cancel('CANCELLED');
  await expect(running).rejects.toThrow();
});

test('what does not fit into the context is not sent', async () => {
  const content = 'word '.repeat(200_000);
  const request = {
    model: 'm',
    messages: [{ role: 'user', content }],
    maxOutputTokens: 100,
    temperature: null,
  } as const;
  await expect(asActivity(() => call(model(answers('never')), { request }))).rejects.toMatchObject({ code: 'TG-M05' });
  expect(asked).toBe(0);
});

test('a conversation that is too long for the endpoint is sent again with less', async () => {
  const lengths: number[] = [];
  const limited = (limit: number): ChatModel => ({
    complete: async ({ request }) => {
      const length = JSON.stringify(request.messages).length;
      lengths.push(length);
      if (length > limit) throw new ModelError({ code: 'TG-M05', what: 'too long', meaning: '', fix: '' });
      return answer('fits');
    },
  });
  const reading = Array.from({ length: 10 }, (_, index): ChatMessage[] => [
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: `r${index}`, name: 'read_file', argumentsText: `{"path": "${index}"}` }],
    },
    { role: 'tool', callId: `r${index}`, content: `line of file ${index}\n`.repeat(2_000) },
  ]).flat();
  const messages: ChatMessage[] = [{ role: 'user', content: 'Hello' }, ...reading];
  const request = { model: 'm', messages, maxOutputTokens: 100, temperature: null };

  const { answer: given } = await asActivity(() => call(limited(200_000), { request }));
  expect(given.content).toBe('fits');
  expect(lengths.length).toBeGreaterThan(1);
  expect(lengths.at(-1)).toBeLessThan(200_000);
  expect([...lengths].sort((a, b) => b - a)).toEqual(lengths);

  lengths.length = 0;
  const refused = asActivity(() => call(limited(10), { request, turn: 2 }));
  await expect(refused).rejects.toMatchObject({ code: 'TG-M05', what: 'too long' });
  expect(new Set(lengths).size).toBe(lengths.length);
});
