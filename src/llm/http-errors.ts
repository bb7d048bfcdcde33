import { ModelError } from '../errors.js';

/** What an endpoint said when it did not answer with a completion. */
export interface EndpointFailure {
  /** HTTP status, or the one inside the body of a 200 that carries an error. */
  readonly status: number;
  /** Its message, in its words. */
  readonly message: string;
  /** Its error code, such as `model_not_found`. */
  readonly code: string;
  /** The parameter it names. */
  readonly param: string;
  readonly retryAfterMs?: number | undefined;
}

/** Who was asked for what; named in every error. */
export interface EndpointContext {
  /** `host:port`. */
  readonly endpoint: string;
  readonly model: string;
  /** Shown by its last four characters only, and cut out of everything the endpoint says. */
  readonly apiKey: string;
}

const CONTEXT_OVERFLOW =
  /context[_ ]length|context[_ ]window|maximum context|too many tokens|prompt is too long|(prompt|input|request).{0,40}(too (long|large)|exceed)|exceed.{0,40}context/i;

/**
 * Maps an endpoint's refusal to the error a person reads: 401/403 TG-M02, unknown model TG-M03, 429 TG-M04,
 * context overflow TG-M05, 408/409/5xx TG-M07, anything else TG-M06. `closeModels` are offered with TG-M03.
 */
export function failureError({
  failure,
  context,
  closeModels = [],
}: {
  failure: EndpointFailure;
  context: EndpointContext;
  closeModels?: readonly string[];
}): ModelError {
  const { status, code } = failure;
  const { endpoint, model, apiKey } = context;
  const said = quoteOfEndpoint({ message: failure.message, apiKey });
  if (status === 401 || status === 403) {
    return new ModelError({
      code: 'TG-M02',
      what: `The model endpoint ${endpoint} refused the key (${status}). The key ${keyEnding(apiKey)}.`,
      meaning: `Not retried. ${said}`,
      fix: 'Set OPENAI_API_KEY to a key of this endpoint, and OPENAI_BASE_URL to the endpoint of this key.',
    });
  }
  if (isUnknownModel(failure)) {
    const close = closeModels.length ? ` Close: ${closeModels.join(', ')}.` : '';
    return new ModelError({
      code: 'TG-M03',
      what: `The endpoint ${endpoint} has no model "${model}" (${status}).${close}`,
      meaning: said,
      fix: 'Name a model it has with --model, or correct OPENAI_BASE_URL (most end in /v1).',
    });
  }
  if (status === 429 && code !== 'insufficient_quota') {
    const wait = failure.retryAfterMs;
    return new ModelError({
      code: 'TG-M04',
      what: `The model endpoint ${endpoint} limits us (429${wait === undefined ? '' : `, retry after ${Math.ceil(wait / 1000)} s`}).`,
      meaning: `The call is made again later; nothing is lost. ${said}`,
      fix: 'Nothing to do; run fewer instances at a time if it goes on.',
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    });
  }
  if (isContextOverflow(failure)) {
    return new ModelError({
      code: 'TG-M05',
      what: `The prompt is longer than the model "${model}" allows.`,
      meaning: said,
      fix: 'Set --context-tokens to what the model takes, so that older results are left out in time.',
    });
  }
  if (status === 408 || status === 409 || status >= 500) {
    const wait = failure.retryAfterMs;
    return new ModelError({
      code: 'TG-M07',
      what: `The model endpoint ${endpoint} failed (${status}).`,
      meaning: `The call is made again later; nothing is lost. ${said}`,
      fix: 'Nothing to do unless it goes on; then look at the status of the endpoint.',
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    });
  }
  return new ModelError({
    code: 'TG-M06',
    what: `The model endpoint ${endpoint} refused the request (${status}).`,
    meaning: `Not retried, as the same request would be refused again. ${said}`,
    fix:
      code === 'insufficient_quota'
        ? 'Add credit to the account of this key, or set OPENAI_API_KEY to another one.'
        : 'Change what it objects to: the model, the temperature or the output tokens.',
  });
}

/** An endpoint that could not be reached, did not answer in time, or answered with something else (TG-M07). */
export function unreachableError({
  context,
  reason,
}: {
  context: EndpointContext;
  /** What went wrong, a clause without a full stop. */
  reason: string;
}): ModelError {
  // No cause travels with it: an HTTP library's error may hold the request's headers, the key among them.
  return new ModelError({
    code: 'TG-M07',
    what: `No usable answer from the model endpoint ${context.endpoint}: ${withoutKey({ text: reason, apiKey: context.apiKey })}.`,
    meaning: 'The call is made again later; nothing is lost.',
    fix: 'Look whether the endpoint is up and OPENAI_BASE_URL names it.',
  });
}

/** True when the failure says that the prompt does not fit the model. */
export function isContextOverflow({ status, message, code }: EndpointFailure): boolean {
  return (
    code === 'context_length_exceeded' ||
    status === 413 ||
    ((status === 400 || status === 422) && CONTEXT_OVERFLOW.test(message))
  );
}

/** True when the failure says that the endpoint does not have the model. */
export function isUnknownModel({ status, code, message }: EndpointFailure): boolean {
  if (code === 'model_not_found') return true;
  const names =
    /model/i.test(message) &&
    /not (found|exist|available)|no such|unknown|invalid model|does ?n.t exist/i.test(message);
  return status === 404 || (status === 400 && names);
}

/** Milliseconds of a Retry-After header: seconds or an HTTP date. Undefined when absent or unreadable. */
export function retryAfterMs({
  headers,
  nowMs,
}: {
  headers: { get(name: string): string | null };
  nowMs: number;
}): number | undefined {
  const precise = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (precise >= 0) return Math.ceil(precise);
  const text = headers.get('retry-after')?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Up to five of `models` that resemble `model`, the most similar first. */
export function closeNames({ model, models }: { model: string; models: readonly string[] }): string[] {
  const wanted = pairsOf(model);
  return models
    .map((name) => ({ name, likeness: likeness(wanted, pairsOf(name)) }))
    .filter((entry) => entry.likeness >= 0.5)
    .sort((a, b) => b.likeness - a.likeness || (a.name < b.name ? -1 : 1))
    .slice(0, 5)
    .map((entry) => entry.name);
}

const pairsOf = (text: string): Set<string> => {
  const plain = text.toLowerCase();
  return new Set(Array.from({ length: Math.max(1, plain.length - 1) }, (_, i) => plain.slice(i, i + 2)));
};

const likeness = (left: Set<string>, right: Set<string>): number =>
  (2 * [...left].filter((pair) => right.has(pair)).length) / (left.size + right.size);

const keyEnding = (apiKey: string): string =>
  apiKey.length >= 12 ? `ends in …${apiKey.slice(-4)}` : 'is too short to show';

function quoteOfEndpoint({ message, apiKey }: { message: string; apiKey: string }): string {
  const text = withoutKey({ text: message, apiKey }).replace(/\s+/g, ' ').trim();
  return text ? `It says: ${text.slice(0, 300)}${text.length > 300 ? '…' : ''}` : 'It gives no reason.';
}

/** Cuts the key, and anything that looks like one, out of a text of the endpoint. */
function withoutKey({ text, apiKey }: { text: string; apiKey: string }): string {
  const cut = apiKey.length >= 4 ? text.replaceAll(apiKey, '[key]') : text;
  // Endpoints echo keys half masked ("sk-pr****9f2c"), or another key of the same account.
  return cut.replace(/\b(sk-|gsk_|Bearer )[\w*.-]{6,}/gi, '[key]');
}
