import { InputError, ModelError } from '../errors.js';
import type { ChatModel } from './chat.js';
import { createOpenAiModel, DEFAULT_BASE_URL, endpointName } from './openai-model.js';
import { recordSession, replaySession } from './recorded-session.js';

/** The variables that choose the model; see the README. */
export interface ModelEnvironment {
  readonly OPENAI_API_KEY?: string | undefined;
  /** Default: OpenAI's own endpoint. */
  readonly OPENAI_BASE_URL?: string | undefined;
  /** File of a recorded session to answer from; no network, no key. */
  readonly TESTGRAD_REPLAY?: string | undefined;
  /** File to record the answers into. */
  readonly TESTGRAD_RECORD?: string | undefined;
}

/**
 * The chat model that the environment names: TESTGRAD_REPLAY, else the endpoint at OPENAI_BASE_URL with
 * OPENAI_API_KEY, recorded into TESTGRAD_RECORD where set.
 *
 * Nothing is sent or read before the first call. Throws ModelError TG-M01 without a key (an endpoint on this machine
 * needs none) and InputError TG-I14 for a URL or key that cannot be one. `timeoutMs` bounds one answer.
 */
export function createModelFromEnvironment({
  env,
  timeoutMs,
}: {
  env: ModelEnvironment;
  timeoutMs?: number | undefined;
}): ChatModel {
  const replay = env.TESTGRAD_REPLAY?.trim();
  if (replay) return replaySession({ file: replay });
  const model = createOpenAiModel({ ...readEndpoint(env), timeoutMs });
  const record = env.TESTGRAD_RECORD?.trim();
  return record ? recordSession({ inner: model, file: record }) : model;
}

/** Endpoint and key of the environment, checked; throws as {@link createModelFromEnvironment} does. */
function readEndpoint(env: ModelEnvironment): { apiKey: string; baseUrl: string } {
  const baseUrl = env.OPENAI_BASE_URL?.trim() || DEFAULT_BASE_URL;
  const apiKey = env.OPENAI_API_KEY?.trim() ?? '';
  const url = URL.parse(baseUrl);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new InputError({
      code: 'TG-I14',
      what: 'OPENAI_BASE_URL is not an http or https URL.',
      meaning: 'It names the endpoint up to its version.',
      fix: `For example: OPENAI_BASE_URL=${DEFAULT_BASE_URL}`,
    });
  }
  if (!apiKey && !isLoopback(url.hostname)) {
    throw new ModelError({
      code: 'TG-M01',
      what: `OPENAI_API_KEY is not set (endpoint ${endpointName(baseUrl)}).`,
      meaning: 'Without a key no model can be asked. Nothing was started.',
      fix: 'Set OPENAI_API_KEY, or OPENAI_BASE_URL to an endpoint on this machine. To try it without a key: npm run demo, in a checkout.',
    });
  }
  if (!/^[\x21-\x7e]*$/.test(apiKey)) {
    throw new InputError({
      code: 'TG-I14',
      what: 'OPENAI_API_KEY holds blanks, line breaks or characters that no key has.',
      meaning: 'It may have been pasted with something around it.',
      fix: 'Set OPENAI_API_KEY to the key alone.',
    });
  }
  return { apiKey, baseUrl };
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
