import { createHash } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { LlmRole } from '../../src/core/usage.js';

/** A message as it came over the wire. */
export interface WireMessage {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly { id: string; function: { name: string; arguments: string } }[];
  readonly tool_call_id?: string;
}

/** One request to the scripted model. */
export interface ScriptedRequest {
  /** Number of the request, from 1. */
  readonly n: number;
  /** When it came, milliseconds of `Date.now()`. */
  readonly atMs: number;
  readonly model: string;
  /** Who asks, told by the tool that it may submit with. */
  readonly role: LlmRole | 'unknown';
  readonly messages: readonly WireMessage[];
  /** Names of the tools on offer. */
  readonly toolNames: readonly string[];
  /** SHA-256 of the raw body: equal requests have equal digests. */
  readonly digest: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, parsed. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** What the scripted model does with a request. */
export type ScriptedReply =
  /** A regular answer, after `delayMs`. */
  | {
      readonly content?: string | null;
      readonly toolCalls?: readonly { name: string; arguments: unknown; id?: string }[];
      readonly finishReason?: string;
      /** Counted at four characters a token when absent; null leaves usage out of the answer. */
      readonly usage?: Readonly<Record<string, unknown>> | null;
      readonly delayMs?: number;
    }
  /** Any HTTP answer: a string is sent as it is (malformed JSON), anything else as JSON. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown }
  /** The connection is cut without an answer. */
  | { readonly cut: true };

/** Decides the reply; `n` counts requests from 1. */
export type Script = (request: ScriptedRequest, n: number) => ScriptedReply | Promise<ScriptedReply>;

/** A running scripted model. */
export interface ScriptedModel {
  /** Put it into OPENAI_BASE_URL; it works from other processes too. */
  readonly baseUrl: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly ScriptedRequest[];
  /** Requests so far, by role or by digest where given. */
  count(filter?: { role?: ScriptedRequest['role']; digest?: string }): number;
  close(): Promise<void>;
}

/**
 * Starts a real HTTP server on a free loopback port that speaks the OpenAI chat API with scripted behaviour.
 * `models` is what GET /models lists; an error thrown by the script is answered with HTTP 500 and its text.
 */
export async function startScriptedModel({
  script,
  models = ['scripted'],
}: {
  script: Script;
  models?: readonly string[];
}): Promise<ScriptedModel> {
  const requests: ScriptedRequest[] = [];
  const app = new Hono();
  app.get('/v1/models', (c) => c.json({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) }));
  app.post('/v1/chat/completions', async (c) => {
    const raw = await c.req.text();
    const request = readRequest({ raw, n: requests.length + 1, headers: c.req.header() });
    requests.push(request);
    const reply = await script(request, request.n);
    if ('cut' in reply) {
      (c.env as { incoming: { socket: { destroy(): void } } }).incoming.socket.destroy();
      return new Response(null);
    }
    if ('status' in reply) {
      const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
      return new Response(text, {
        status: reply.status,
        headers: { 'content-type': 'application/json', ...reply.headers },
      });
    }
    if (reply.delayMs) await sleep(reply.delayMs);
    return c.json(completion({ reply, request, raw }));
  });
  app.onError((error, c) => c.json({ error: { message: `scripted model: ${error.message}` } }, 500));
  const server = await new Promise<Server>((resolve) => {
    const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started as Server));
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    count: ({ role, digest } = {}) =>
      requests.filter((r) => (!role || r.role === role) && (!digest || r.digest === digest)).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const SUBMITS: readonly (readonly [string, LlmRole])[] = [
  ['submit_update', 'optimizer'],
  ['submit_judgements', 'judge'],
  ['submit_decision', 'checker'],
];

function readRequest({ raw, n, headers }: { raw: string; n: number; headers: Record<string, string> }) {
  const body = JSON.parse(raw) as Record<string, unknown>;
  const tools = (body.tools ?? []) as readonly { function: { name: string } }[];
  const toolNames = tools.map((tool) => tool.function.name);
  const messages = body.messages as readonly WireMessage[];
  // Without tool calls the tools stand in the system message.
  const offered = toolNames.length ? toolNames.join(' ') : String(messages[0]?.content);
  const request: ScriptedRequest = {
    n,
    atMs: Date.now(),
    model: String(body.model),
    role: SUBMITS.find(([tool]) => offered.includes(tool))?.[1] ?? 'unknown',
    messages,
    toolNames,
    digest: createHash('sha256').update(raw).digest('hex'),
    headers,
    body,
  };
  return request;
}

function completion({
  reply,
  request,
  raw,
}: {
  reply: Exclude<ScriptedReply, { status: number } | { cut: true }>;
  request: ScriptedRequest;
  raw: string;
}) {
  // From the place in the conversation, so that the same request twice gets the same answer.
  const calls = (reply.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `call_${request.messages.length}_${index}`,
    type: 'function',
    function: {
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  const message = { role: 'assistant', content: reply.content ?? null, ...(calls.length ? { tool_calls: calls } : {}) };
  const input = Math.ceil(raw.length / 4);
  const output = Math.ceil(JSON.stringify(message).length / 4);
  const usage = reply.usage ?? { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  return {
    id: `chatcmpl-${request.n}`,
    object: 'chat.completion',
    created: 0,
    model: request.model,
    choices: [{ index: 0, message, finish_reason: reply.finishReason ?? (calls.length ? 'tool_calls' : 'stop') }],
    ...(reply.usage === null ? {} : { usage }),
  };
}
