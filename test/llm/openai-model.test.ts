import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { isRetryable, ModelError } from '../../src/errors.js';
import type { ChatRequest, CompletionCall } from '../../src/llm/chat.js';
import { createOpenAiModel } from '../../src/llm/openai-model.js';
import { type Script, type ScriptedModel, type ScriptedReply, startScriptedModel } from '../support/scripted-model.js';

const API_KEY = 'sk-test-0123456789-9f2c';
const started: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((server) => server.close()));
});

const TOOL = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
};

const REQUEST: ChatRequest = {
  model: 'gpt-test-1',
  messages: [
    { role: 'system', content: 'You are careful.' },
    { role: 'user', content: 'Read a.py.' },
  ],
  tools: [TOOL],
  maxOutputTokens: 100,
  temperature: null,
};

async function scripted(script: Script, options: { models?: readonly string[]; timeoutMs?: number } = {}) {
  const server = await startScriptedModel({ script, ...(options.models && { models: options.models }) });
  started.push(server);
  const model = createOpenAiModel({ apiKey: API_KEY, baseUrl: server.baseUrl, timeoutMs: options.timeoutMs ?? 5000 });
  const ask = (change: Partial<ChatRequest> = {}, call: Partial<CompletionCall> = {}) =>
    model.complete({
      request: { ...REQUEST, ...change },
      position: { role: 'optimizer', step: 2, turn: 3 },
      signal: new AbortController().signal,
      ...call,
    });
  return { server, ask };
}

async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => expect.unreachable('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error as ModelError;
}

const refusal = (status: number, message: string, more: object = {}, headers: Record<string, string> = {}) =>
  ({ status, headers, body: { error: { message, ...more } } }) satisfies ScriptedReply;

describe('an answer', () => {
  it('comes with its calls and the usage the endpoint reports', async () => {
    const { server, ask } = await scripted(() => ({
      content: 'I look.',
      toolCalls: [{ name: 'read_file', arguments: { path: 'a.py' }, id: 'call_x' }],
      usage: { prompt_tokens: 50, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 20 } },
    }));
    expect(await ask()).toEqual({
      content: 'I look.',
      toolCalls: [{ id: 'call_x', name: 'read_file', argumentsText: '{"path":"a.py"}' }],
      finishReason: 'tools',
      usage: { inputTokens: 50, cachedTokens: 20, outputTokens: 7 },
      drifted: false,
    });
    const [sent] = server.requests;
    expect(sent?.headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(sent?.body).toMatchObject({ model: 'gpt-test-1', max_tokens: 100 });
    expect(sent?.body).not.toHaveProperty('temperature');
    expect(sent?.body).not.toHaveProperty('seed');
  });

  it('is asked for with temperature and seed where they are set', async () => {
    const { server, ask } = await scripted(() => ({ content: 'ok' }));
    await ask({ temperature: 0, seed: 7 });
    expect(server.requests[0]?.body).toMatchObject({ temperature: 0, seed: 7 });
  });

  it('has estimated usage where the endpoint reports none', async () => {
    const { ask } = await scripted(() => ({ content: 'a longer answer than none', usage: null }));
    const { usage } = await ask();
    expect(usage.inputTokens).toBeGreaterThan(8);
    expect(usage.outputTokens).toBeGreaterThan(3);
  });

  it('reads the cache that DeepSeek reports beside the prompt', async () => {
    const { ask } = await scripted(() => ({
      content: 'ok',
      usage: { prompt_tokens: 50, completion_tokens: 7, prompt_cache_hit_tokens: 32 },
    }));
    expect((await ask()).usage.cachedTokens).toBe(32);
  });

  it('gets new ids for calls where the endpoint gives none or one that was used before', async () => {
    const call = { name: 'read_file', arguments: { path: 'a.py' } };
    const { ask } = await scripted(() => ({
      toolCalls: [
        { ...call, id: '' },
        { ...call, id: 'c0' },
        { ...call, id: 'c1' },
      ],
    }));
    const answer = await ask({
      messages: [
        ...REQUEST.messages,
        { role: 'assistant', content: '', toolCalls: [{ id: 'c0', name: 'read_file', argumentsText: '{}' }] },
        { role: 'tool', callId: 'c0', content: 'text' },
      ],
    });
    expect(answer.toolCalls.map(({ id }) => id)).toEqual(['call_2_3_0', 'call_2_3_1', 'c1']);
  });

  it('says when it was cut', async () => {
    const { ask } = await scripted(() => ({
      toolCalls: [{ name: 'read_file', arguments: '{"path": "a' }],
      finishReason: 'length',
    }));
    const answer = await ask();
    expect(answer.finishReason).toBe('length');
    expect(answer.toolCalls[0]?.argumentsText).toBe('{"path": "a');
  });

  /** An answer whose message, or whole body, is what an endpoint of poor quality might send. */
  const raw = (message: object, body: object = {}) => ({
    status: 200,
    body: { choices: [{ message, finish_reason: 'tool_calls' }], ...body },
  });

  it.each([
    ['calls that are an object', { tool_calls: { id: 'c1', function: { name: 'read_file', arguments: '{}' } } }],
    ['calls that are text', { tool_calls: 'read_file' }],
    ['a call that is null', { tool_calls: [null, 'read_file', 7] }],
    ['a call without a function', { tool_calls: [{ id: 'c1', type: 'function' }] }],
    ['a call without a name', { tool_calls: [{ id: 'c1', function: { arguments: '{}' } }] }],
    ['a name that is null', { tool_calls: [{ id: 'c1', function: { name: null, arguments: '{}' } }] }],
    ['a name that is no text', { tool_calls: [{ id: 'c1', function: { name: { of: 'it' }, arguments: '{}' } }] }],
    ['a blank name', { tool_calls: [{ id: 'c1', function: { name: ' ', arguments: '{}' } }] }],
  ])('calls nothing with %s', async (_what, message) => {
    const { ask } = await scripted(() => raw({ content: 'I look.', ...message }));
    expect(await ask()).toMatchObject({ content: 'I look.', toolCalls: [], finishReason: 'stop' });
  });

  it('keeps the good calls among malformed ones', async () => {
    const { ask } = await scripted(() =>
      raw({
        content: [{ type: 'text', text: 'I ' }, { text: 7 }, null, { text: { toString: 1 } }, { text: 'look.' }],
        tool_calls: [
          { function: {} },
          { id: 7, function: { name: ' read_file', arguments: { path: 'a.py' } } },
          { id: 'c2', function: { name: 'read_file' } },
        ],
      }),
    );
    expect(await ask()).toMatchObject({
      content: 'I look.',
      toolCalls: [
        { id: 'call_2_3_0', name: 'read_file', argumentsText: '{"path":"a.py"}' },
        { id: 'c2', name: 'read_file', argumentsText: '{}' },
      ],
    });
  });

  it('may have arguments that nobody can write again', async () => {
    const body = JSON.stringify(raw({ tool_calls: [{ function: { name: 'read_file', arguments: 0 } }] }).body);
    const { ask } = await scripted(() => ({
      status: 200,
      body: body.replace('"arguments":0', `"arguments":${'['.repeat(20_000)}${']'.repeat(20_000)}`),
    }));
    expect((await ask()).toolCalls).toEqual([
      { id: 'call_2_3_0', name: 'read_file', argumentsText: 'nested too deeply' },
    ]);
  });

  it('is counted by us where the endpoint’s counts are none', async () => {
    for (const usage of ['many', { prompt_tokens: '50', completion_tokens: -1, prompt_tokens_details: 3 }, 7, []]) {
      const { ask } = await scripted(() => raw({ content: 'ok' }, { usage }));
      const counted = (await ask()).usage;
      expect(counted.inputTokens).toBeGreaterThan(8);
      expect(counted).toMatchObject({ cachedTokens: 0, outputTokens: 1 });
    }
  });

  it('may hold its call in the text although tools were offered', async () => {
    const { ask } = await scripted(() => ({ content: '{"tool": "read_file", "arguments": {"path": "b.py"}}' }));
    const answer = await ask();
    expect(answer.toolCalls).toEqual([{ id: 'call_2_3_0', name: 'read_file', argumentsText: '{"path":"b.py"}' }]);
    expect(answer.finishReason).toBe('tools');
  });
});

describe('a conversation', () => {
  it('is sent with calls and results; malformed arguments are wrapped so that no endpoint refuses them', async () => {
    const { server, ask } = await scripted(() => ({ content: 'ok' }));
    await ask({
      messages: [
        ...REQUEST.messages,
        {
          role: 'assistant',
          content: '',
          toolCalls: [
            { id: 'c0', name: 'read_file', argumentsText: '{"path": "a.py"}' },
            { id: 'c1', name: 'read_file', argumentsText: '{"path": "a.p' },
          ],
        },
        { role: 'tool', callId: 'c0', content: 'text' },
        { role: 'tool', callId: 'c1', content: 'not JSON' },
      ],
    });
    const messages = server.requests[0]?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool']);
    expect(messages[2]?.content).toBeNull();
    expect(messages[2]?.tool_calls?.map((call) => call.function.arguments)).toEqual([
      '{"path": "a.py"}',
      '{"malformed":"{\\"path\\": \\"a.p"}',
    ]);
    expect(messages[3]).toEqual({ role: 'tool', tool_call_id: 'c0', content: 'text' });
  });

  it('is sent with names that endpoints take', async () => {
    const { server, ask } = await scripted(() => ({ content: 'ok' }));
    const toolCalls = [{ id: 'c0', name: `read file/${'x'.repeat(100)}`, argumentsText: '{}' }];
    await ask({
      messages: [
        ...REQUEST.messages,
        { role: 'assistant', content: '', toolCalls },
        { role: 'tool', callId: 'c0', content: 'There is no such tool.' },
      ],
    });
    const sent = server.requests[0]?.messages[2]?.tool_calls?.[0]?.function.name;
    expect(sent).toMatch(/^read_file_x+$/);
    expect(sent).toHaveLength(64);
  });
});

describe('refusals of the endpoint', () => {
  it.each([
    ['TG-M02', false, refusal(401, `Incorrect API key provided: ${API_KEY}.`)],
    ['TG-M02', false, refusal(403, 'Country not supported')],
    ['TG-M03', false, refusal(404, 'The model `gpt-test-1` does not exist')],
    ['TG-M03', false, refusal(400, 'nope', { code: 'model_not_found' })],
    ['TG-M04', true, refusal(429, 'Rate limit reached')],
    ['TG-M06', false, refusal(429, 'You exceeded your current quota', { code: 'insufficient_quota' })],
    ['TG-M05', false, refusal(400, 'too much', { code: 'context_length_exceeded' })],
    ['TG-M05', false, refusal(400, "This model's maximum context length is 8192 tokens, you requested 9000 tools")],
    ['TG-M05', false, refusal(413, 'Payload Too Large')],
    ['TG-M06', false, refusal(400, "Invalid 'temperature': must be at most 2")],
    ['TG-M06', false, refusal(422, 'unprocessable')],
    ['TG-M06', false, refusal(402, 'Insufficient Balance')],
    ['TG-M07', true, refusal(408, 'Request timeout')],
    ['TG-M07', true, refusal(409, 'Conflict')],
    ['TG-M07', true, refusal(500, 'Internal error')],
    ['TG-M07', true, refusal(529, 'Overloaded')],
    ['TG-M07', true, { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' }],
    ['TG-M04', true, { status: 200, body: { error: { code: 429, message: 'upstream limit' } } }],
    ['TG-M07', true, { status: 200, body: { error: { code: 'server_error', message: 'upstream broke' } } }],
    ['TG-M07', true, { status: 200, body: '{"choices": [' }],
    ['TG-M07', true, { status: 200, body: { choices: [] } }],
    ['TG-M07', true, { status: 200, body: { choices: { 0: { message: { content: 'hello' } } } } }],
    ['TG-M07', true, { status: 200, body: { choices: [{ message: null }, { message: { content: 'hello' } }] } }],
    ['TG-M07', true, { status: 200, body: [1] }],
    ['TG-M07', true, { status: 200, headers: { 'content-type': 'text/plain' }, body: 'hello' }],
    ['TG-M07', true, { cut: true }],
  ] as const)('%s (retry: %s) for %o, sent once', async (code, retry, reply) => {
    const { server, ask } = await scripted(() => reply);
    const error = await failure(ask());
    expect(error.code).toBe(code);
    expect(isRetryable(error)).toBe(retry);
    expect(server.count()).toBe(1);
    expect(error.what).toContain(code === 'TG-M05' ? 'gpt-test-1' : server.baseUrl.split('/')[2]);
  });

  it('never show the key, wherever the endpoint puts it', async () => {
    const echo = `Bearer ${API_KEY} is wrong, and so is sk-other-account-key-1234; you sent ${API_KEY}`;
    for (const reply of [
      refusal(401, echo),
      refusal(400, echo),
      refusal(500, echo),
      refusal(429, echo),
      { status: 503, headers: { 'content-type': 'text/plain' }, body: echo },
    ]) {
      const { ask } = await scripted(() => reply);
      const error = await failure(ask());
      const everything = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error) + error.stack;
      expect(everything).not.toContain(API_KEY);
      expect(everything).not.toContain('sk-other-account-key-1234');
    }
    const { ask } = await scripted(() => refusal(401, 'no'));
    expect((await failure(ask())).what).toContain('…9f2c');
    const plainKey = '0123-plain-key-of-a-provider';
    const server = await startScriptedModel({ script: () => refusal(400, `bad key ${plainKey}`) });
    started.push(server);
    const error = await failure(
      createOpenAiModel({ apiKey: plainKey, baseUrl: server.baseUrl }).complete({
        request: REQUEST,
        position: { role: 'judge', step: 0, turn: 0 },
        signal: AbortSignal.timeout(5000),
      }),
    );
    expect(inspect(error, { depth: 10 })).not.toContain(plainKey);
  });

  it('say how long to wait: Retry-After in seconds, in milliseconds, as a date', async () => {
    const waitFor = async (headers: Record<string, string>) => {
      const { ask } = await scripted(() => refusal(429, 'slow down', {}, headers));
      return (await failure(ask())).retryAfterMs;
    };
    expect(await waitFor({ 'retry-after': '40' })).toBe(40_000);
    expect(await waitFor({ 'retry-after': '1.5' })).toBe(1500);
    expect(await waitFor({ 'retry-after': '9', 'retry-after-ms': '250' })).toBe(250);
    expect(await waitFor({ 'retry-after': 'soon' })).toBeUndefined();
    expect(await waitFor({})).toBeUndefined();
    const dated = await waitFor({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() });
    expect(dated).toBeGreaterThan(50_000);
    expect(dated).toBeLessThanOrEqual(60_000);
    expect(await waitFor({ 'retry-after': new Date(Date.now() - 60_000).toUTCString() })).toBe(0);
  });

  it('name models that are close to an unknown one, and do not depend on the list', async () => {
    const { ask } = await scripted(() => refusal(404, 'no such model'), {
      models: ['embedding-large', 'gpt-test-2', 'gpt-test-10', 'whisper'],
    });
    const { what } = await failure(ask());
    expect(what).toContain('Close: gpt-test-10, gpt-test-2.');
    const { ask: alone } = await scripted(() => refusal(404, 'no such model'), { models: [] });
    expect((await failure(alone())).what).not.toContain('Close');
  });
});

describe('an endpoint that cannot be reached', () => {
  it('is named with its port', async () => {
    const port = await freePort();
    const model = createOpenAiModel({ apiKey: API_KEY, baseUrl: `http://127.0.0.1:${port}/v1`, timeoutMs: 2000 });
    const call = {
      request: REQUEST,
      position: { role: 'judge', step: 0, turn: 0 },
      signal: AbortSignal.timeout(5000),
    } as const;
    const error = await failure(model.complete(call));
    expect(error.code).toBe('TG-M07');
    expect(error.what).toContain(`127.0.0.1:${port}: the connection was refused`);
  });

  it('is given up at the timeout, before or after the headers', async () => {
    const { ask } = await scripted(() => ({ content: 'too late', delayMs: 2000 }), { timeoutMs: 150 });
    const error = await failure(ask());
    expect(error.code).toBe('TG-M07');
    expect(error.what).toContain('no answer within 1 s');

    for (const status of ['200 OK', '500 Internal Server Error']) {
      const stalled = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () =>
          socket.write(
            `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n{"choices"`,
          ),
        );
      });
      const baseUrl = `http://127.0.0.1:${await listen(stalled)}/v1`;
      const model = createOpenAiModel({ apiKey: API_KEY, baseUrl, timeoutMs: 200 });
      const stopped = await failure(
        model.complete({
          request: REQUEST,
          position: { role: 'judge', step: 0, turn: 0 },
          signal: AbortSignal.timeout(5000),
        }),
      );
      expect(stopped.what).toContain('no answer within');
      stalled.close();
    }
  });

  it('is left at once when the caller aborts, with the caller’s reason', async () => {
    const { ask } = await scripted(() => ({ content: 'too late', delayMs: 3000 }));
    const controller = new AbortController();
    const reason = new Error('cancelled by the workflow');
    setTimeout(() => controller.abort(reason), 50);
    const before = performance.now();
    await expect(ask({}, { signal: controller.signal })).rejects.toBe(reason);
    expect(performance.now() - before).toBeLessThan(1500);
  });
});

describe('what endpoints do not take', () => {
  const withoutTools: Script = (request) =>
    request.toolNames.length > 0
      ? refusal(400, 'gpt-test-1 does not support tools')
      : { content: 'I will.\n```json\n{"tool": "read_file", "arguments": {"path": "a.py"}}\n```' };

  it('tools: they are described in the text, which is remembered', async () => {
    const { server, ask } = await scripted(withoutTools);
    const first = await ask();
    expect(first.toolCalls).toEqual([{ id: 'call_2_3_0', name: 'read_file', argumentsText: '{"path":"a.py"}' }]);
    await ask();
    expect(server.requests.map(({ toolNames }) => toolNames.length)).toEqual([1, 0, 0]);
    expect(server.requests[1]?.messages[0]?.content).toContain('read_file');
    expect(server.requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it.each([
    refusal(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    refusal(404, 'No endpoints found that support tool use.'),
    refusal(422, 'Extra inputs are not permitted', { param: 'tools' }),
    refusal(500, 'tools param requires --jinja flag'),
    { status: 400, body: { detail: 'Unrecognized request argument supplied: tools' } },
    { status: 400, body: { error: 'registry.example/model does not support tools' } },
  ] satisfies ScriptedReply[])('tools, in the words of %o', async (reply) => {
    const { ask } = await scripted((request) => (request.toolNames.length > 0 ? reply : { content: 'text only' }));
    expect((await ask()).content).toBe('text only');
  });

  it('tools: a refusal that text does not help is reported, and not remembered', async () => {
    let healthy = false;
    const { server, ask } = await scripted(() =>
      healthy ? { content: 'ok' } : refusal(400, 'bad tools, bad everything'),
    );
    expect((await failure(ask())).code).toBe('TG-M06');
    healthy = true;
    await ask();
    expect(server.requests.map(({ toolNames }) => toolNames.length)).toEqual([1, 0, 1]);
  });

  it('max_tokens: max_completion_tokens is sent instead, which is remembered', async () => {
    const { server, ask } = await scripted((request) =>
      'max_tokens' in request.body
        ? refusal(
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          )
        : { content: 'ok' },
    );
    await ask();
    await ask();
    expect(server.requests.map(({ body }) => body.max_completion_tokens)).toEqual([undefined, 100, 100]);
    expect(server.requests[1]?.toolNames).toEqual(['read_file']);
  });

  it('neither: both are learnt in one call', async () => {
    const { server, ask } = await scripted((request) => {
      if ('max_tokens' in request.body) return refusal(400, 'use max_completion_tokens');
      return request.toolNames.length > 0 ? refusal(400, 'tools are not supported') : { content: 'ok' };
    });
    expect((await ask()).content).toBe('ok');
    expect(server.count()).toBe(3);
  });
});

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
