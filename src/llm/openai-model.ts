import type OpenAI from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { ChatModel, ChatRequest, CompletionCall } from './chat.js';
import {
  closeNames,
  type EndpointContext,
  type EndpointFailure,
  failureError,
  isContextOverflow,
  isUnknownModel,
  retryAfterMs,
  unreachableError,
} from './http-errors.js';
import { toTextMessages } from './json-protocol.js';
import { patientFetch } from './patient-fetch.js';
import { fromWire, toWireMessages, toWireTools } from './wire.js';

/** Where the OpenAI SDK goes when no base URL is given. */
export const DEFAULT_BASE_URL = 'https://api.openai.com/v1';

/** Asking for the names of models must not keep an error waiting. */
const LIST_MODELS_TIMEOUT_MS = 3000;

/** What an endpoint does not take, learnt from its refusals. */
interface Habits {
  readonly tools: 'calls' | 'text';
  readonly limit: 'max_tokens' | 'max_completion_tokens';
}

const FIRST_HABITS: Habits = { tools: 'calls', limit: 'max_tokens' };

/** By endpoint and model, for the life of the process. */
const learnt = new Map<string, Habits>();

/**
 * A chat model behind an OpenAI-compatible endpoint (Chat Completions, no streaming, no retries of its own).
 *
 * Endpoints that refuse tools are asked again with the tools described in the text, and endpoints that want
 * `max_completion_tokens` get it; both are remembered for the process. Failures become ModelErrors, see failureError.
 */
export function createOpenAiModel({
  apiKey,
  baseUrl = DEFAULT_BASE_URL,
  timeoutMs = 600_000,
}: {
  /** Empty for an endpoint that asks for none. */
  apiKey: string;
  baseUrl?: string | undefined;
  /** For the whole answer; default ten minutes. */
  timeoutMs?: number | undefined;
}): ChatModel {
  let client: Promise<OpenAI> | undefined;
  return {
    async complete({ request, position, signal }) {
      client ??= createClient({ apiKey, baseUrl, timeoutMs });
      const context: EndpointContext = { endpoint: endpointName(baseUrl), model: request.model, apiKey };
      const key = `${baseUrl} ${request.model}`;
      let habits = learnt.get(key) ?? FIRST_HABITS;
      for (;;) {
        const sent = await send({ client: await client, request, habits, timeoutMs, context, signal });
        if (sent.kind === 'completion') {
          const answer = fromWire({ completion: sent.body, request, position });
          if (!answer) throw unreachableError({ context, reason: 'what it sent is no chat completion' });
          // Remembered only when it helped: a refusal may have had another reason.
          learnt.set(key, habits);
          return { ...answer, drifted: false };
        }
        const changed = adapt({ habits, failure: sent.failure, request });
        if (!changed) {
          const closeModels = isUnknownModel(sent.failure) ? await listClose({ client: await client, request }) : [];
          throw failureError({ failure: sent.failure, context, closeModels });
        }
        habits = changed;
      }
    },
  };
}

async function createClient({ apiKey, baseUrl, timeoutMs }: { apiKey: string; baseUrl: string; timeoutMs: number }) {
  const { default: OpenAi } = await import('openai');
  return new OpenAi({
    apiKey: apiKey || 'unused',
    baseURL: baseUrl,
    timeout: timeoutMs,
    maxRetries: 0,
    logLevel: 'off',
    fetch: patientFetch,
  });
}

type Sent = { kind: 'completion'; body: unknown } | { kind: 'refused'; failure: EndpointFailure };

async function send({
  client,
  request,
  habits,
  timeoutMs,
  context,
  signal,
}: {
  client: OpenAI;
  request: ChatRequest;
  habits: Habits;
  timeoutMs: number;
  context: EndpointContext;
  signal: CompletionCall['signal'];
}): Promise<Sent> {
  signal.throwIfAborted();
  // The SDK's own timer does not hold for the body of a refusal; this one does.
  const timer = AbortSignal.timeout(timeoutMs);
  let body: unknown;
  try {
    body = await client.chat.completions.create(bodyOf({ request, habits }), {
      signal: AbortSignal.any([signal, timer]),
    });
  } catch (error) {
    signal.throwIfAborted();
    const { APIError, APIConnectionTimeoutError } = await import('openai');
    if (timer.aborted || error instanceof APIConnectionTimeoutError) {
      throw unreachableError({ context, reason: `no answer within ${Math.ceil(timeoutMs / 1000)} s` });
    }
    if (error instanceof APIError && error.status !== undefined)
      return { kind: 'refused', failure: readFailure(error) };
    if (error instanceof SyntaxError) {
      throw unreachableError({ context, reason: 'its answer is not JSON' });
    }
    throw unreachableError({ context, reason: connectionReason(error) });
  }
  const inside = errorInside(body);
  return inside ? { kind: 'refused', failure: inside } : { kind: 'completion', body };
}

function bodyOf({ request, habits }: { request: ChatRequest; habits: Habits }): ChatCompletionCreateParamsNonStreaming {
  const tools = request.tools ?? [];
  const asText = tools.length > 0 && habits.tools === 'text';
  return {
    model: request.model,
    messages: asText ? toTextMessages({ messages: request.messages, tools }) : toWireMessages(request.messages),
    ...(tools.length > 0 && !asText ? { tools: toWireTools(tools) } : {}),
    [habits.limit]: request.maxOutputTokens,
    ...(request.temperature === null ? {} : { temperature: request.temperature }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
  };
}

/** The habits to try next after a refusal, or null when it has another reason. Each changes once at most. */
function adapt({
  habits,
  failure,
  request,
}: {
  habits: Habits;
  failure: EndpointFailure;
  request: ChatRequest;
}): Habits | null {
  const { status, message, param } = failure;
  if (status === 401 || status === 403 || status === 429 || isContextOverflow(failure)) return null;
  if (habits.limit === 'max_tokens' && status < 500 && /max_completion_tokens/.test(message)) {
    return { ...habits, limit: 'max_completion_tokens' };
  }
  const aboutTools = /\btools?\b|tool[_ -](call|choice)|function[_ -]?call/i.test(message) || /^tool/.test(param);
  // A server's own breakdown may mention tools as well; only a statement about support counts there.
  const refusesTools = aboutTools && (status < 500 || /support|requires|not implemented|unknown|enable/i.test(message));
  if (habits.tools === 'calls' && (request.tools ?? []).length > 0 && refusesTools) return { ...habits, tools: 'text' };
  return null;
}

interface ApiErrorShape {
  readonly status: number | undefined;
  readonly message: string;
  readonly code?: unknown;
  readonly param?: unknown;
  readonly headers?: Headers | undefined;
}

function readFailure({ status = 500, message, code, param, headers }: ApiErrorShape): EndpointFailure {
  return {
    status,
    message: message.replace(/^\d{3} /, ''),
    code: String(code ?? ''),
    param: String(param ?? ''),
    retryAfterMs: headers ? retryAfterMs({ headers, nowMs: Date.now() }) : undefined,
  };
}

/** Gateways report the failure of what stands behind them inside an answer with status 200. */
function errorInside(body: unknown): EndpointFailure | null {
  if (typeof body !== 'object' || body === null || !('error' in body) || !body.error) return null;
  const error = body.error as { message?: unknown; code?: unknown };
  const status = typeof error.code === 'number' && error.code >= 400 && error.code < 600 ? error.code : 502;
  const message = typeof error.message === 'string' ? error.message : JSON.stringify(body.error);
  return { status, message, code: String(error.code ?? ''), param: '' };
}

async function listClose({ client, request }: { client: OpenAI; request: ChatRequest }): Promise<string[]> {
  try {
    const page = await client.models.list({ timeout: LIST_MODELS_TIMEOUT_MS });
    return closeNames({ model: request.model, models: page.data.map((model) => String(model.id)) });
  } catch {
    // The list is a courtesy; the error it belongs to must come through without it.
    return [];
  }
}

function connectionReason(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code;
    if (typeof code === 'string' && /^E[A-Z_]+$/.test(code)) {
      return code === 'ECONNREFUSED' ? 'the connection was refused' : `the connection failed (${code})`;
    }
  }
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}

/** `host:port` of a URL, with the scheme's default port. */
export function endpointName(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (!url) return baseUrl;
  return `${url.hostname}:${url.port || (url.protocol === 'http:' ? '80' : '443')}`;
}
