import { beforeEach, expect, test } from 'vitest';
import type { OptimizerTurnInput, OptimizerTurnResult } from '../../src/activities/contract.js';
import type { Conversation } from '../../src/activities/documents.js';
import { optimizerTurn } from '../../src/activities/optimizer-turn.js';
import type { Services } from '../../src/activities/services.js';
import { createWorkspacePool } from '../../src/activities/workspace-pool.js';
import { createMemoryStore } from '../../src/artifacts/memory-store.js';
import type { ArtifactStore } from '../../src/artifacts/store.js';
import { getJson, putJson, putText } from '../../src/artifacts/values.js';
import type { Matrix } from '../../src/core/matrix.js';
import { presetSettings } from '../../src/core/settings.js';
import type { ChatMessage, ChatRequest, ToolCall } from '../../src/llm/chat.js';
import { asActivity } from '../support/activity-bench.js';

const MATRIX: Matrix = { schema: 'testgrad.matrix/1', step: 0, candidates: ['c1', 'c2'], rows: [] };

let store: ArtifactStore;
let asked: ChatRequest[];
beforeEach(() => {
  store = createMemoryStore();
  asked = [];
});

/** One turn in a conversation, in which the model answers with these calls. */
async function turn({
  answer,
  messages = [{ role: 'user', content: 'Write a test.' }],
  results = {},
  contextTokens = 128_000,
}: {
  answer: readonly ToolCall[];
  messages?: readonly ChatMessage[];
  results?: Readonly<Record<string, string>>;
  contextTokens?: number;
}): Promise<OptimizerTurnResult> {
  const services: Services = {
    store,
    home: '/nowhere',
    model: async () => ({
      complete: async ({ request }) => {
        asked.push(request);
        const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 1 };
        return { content: '', toolCalls: answer, finishReason: 'tools', usage, drifted: false };
      },
    }),
    workspaces: createWorkspacePool({ maxIdle: 0 }),
    priceOverride: undefined,
    stopping: new AbortController().signal,
  };
  const earlier: Conversation = { schema: 'testgrad.conversation/1', tools: [], messages };
  const nothing = { digest: '', bytes: 0, mediaType: '' };
  const input: OptimizerTurnInput = {
    ...{ runId: 'run', instance: nothing, prepared: nothing, suite: nothing, momentum: null },
    settings: { ...presetSettings({ preset: 'balanced', model: 'm' }), contextTokens },
    ...{ step: 0, leaders: MATRIX.candidates, failedInLead: 0, turn: 2, lastTurn: false },
    matrix: await putJson({ store, value: MATRIX }),
    conversation: await putJson({ store, value: earlier }),
    toolResults: await Promise.all(
      Object.entries(results).map(async ([callId, text]) => ({ callId, result: await putText({ store, text }) })),
    ),
  };
  return asActivity(() => optimizerTurn({ services, input }));
}

const read = (n: number): ToolCall => ({ id: `c${n}`, name: 'read_file', argumentsText: `{"path": "${n}.py"}` });
const reads = (count: number): ToolCall[] => Array.from({ length: count }, (_, n) => read(n));
const submit: ToolCall = { id: 'submit', name: 'submit_update', argumentsText: '{}' };
const ids = (calls: readonly ToolCall[]) => calls.map(({ id, name }) => ({ callId: id, tool: name }));

test('of very many calls in one answer eight are run, and the model is told so', async () => {
  const first = await turn({ answer: reads(100) });
  expect(first.end).toEqual({ kind: 'tools', calls: ids(reads(8)) });

  const { messages } = await getJson<Conversation>({ store, ref: first.conversation });
  const results = Object.fromEntries(reads(8).map(({ id }) => [id, `text of ${id}`]));
  await turn({ answer: [read(0)], messages, results });
  const told = asked.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(told).toHaveLength(100);
  expect(told[7]).toEqual({ role: 'tool', callId: 'c7', content: 'text of c7' });
  for (const { content } of told.slice(8)) expect(content).toBe('Not run: at most 8 calls an answer.');
});

test('an update among other calls comes first', async () => {
  const first = await turn({ answer: [...reads(20), submit] });
  expect(first.end).toEqual({ kind: 'submission', callId: 'submit' });
  const { messages } = await getJson<Conversation>({ store, ref: first.conversation });
  await turn({ answer: [read(0)], messages, results: { submit: 'Refused.' } });
  const told = asked.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(told.map(({ content }) => content)).toEqual([
    ...Array(20).fill('Not run: the update came first.'),
    'Refused.',
  ]);
});

test('results that are too long together are cut, and the run goes on', async () => {
  const calls = reads(8);
  const messages: ChatMessage[] = [
    { role: 'user', content: 'Write a test.' },
    { role: 'assistant', content: '', toolCalls: calls },
  ];
  const results = Object.fromEntries(calls.map(({ id }) => [id, 'a line of text\n'.repeat(2_000)]));
  const { end } = await turn({ answer: [read(0)], messages, results, contextTokens: 32_000 });
  expect(end.kind).toBe('tools');
  const told = asked[0]?.messages.filter(({ role }) => role === 'tool') ?? [];
  expect(told).toHaveLength(8);
  for (const { content } of told) expect(content).toMatch(/^a line of text\n[\s\S]*characters left out/);
});
