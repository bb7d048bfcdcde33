import { createHash } from 'node:crypto';
import { ModelError } from '../errors.js';
import type { CallPosition, ChatModel, ChatRequest } from './chat.js';
import { addToSession, findInSession, positionKey, readSession, type SessionEntry } from './session-file.js';

/**
 * Passes calls on to `inner` and keeps its answers in a session file, each as soon as it is there.
 *
 * A call that is already in the file with the same request is answered from it, so that a run that was interrupted
 * goes on as it began; a changed request at the same place is asked anew and replaces the old answer. The file holds
 * answers and digests, never requests. Several processes may record into one file.
 */
export function recordSession({ inner, file }: { inner: ChatModel; file: string }): ChatModel {
  return {
    async complete(call) {
      const { request, position } = call;
      const requestDigest = digestOfRequest(request);
      const known = await findInSession({ file, position });
      if (known?.requestDigest === requestDigest) return { ...known.answer, drifted: false };
      const { drifted, ...answer } = await inner.complete(call);
      const { content, toolCalls, finishReason, usage } = answer;
      await addToSession({
        file,
        entry: {
          position: plainPosition(position),
          requestDigest,
          model: request.model,
          answer: { content, toolCalls: [...toolCalls], finishReason, usage: { ...usage } },
        },
      });
      return { ...answer, drifted };
    },
  };
}

/**
 * Answers from a recorded session by position, without any network. `drifted` tells that the request differs from the
 * recorded one. The file is read once. Rejects with ModelError TG-M08 where the session holds no answer.
 */
export function replaySession({ file }: { file: string }): ChatModel {
  let entries: Promise<Map<string, SessionEntry>> | undefined;
  return {
    async complete({ request, position, signal }) {
      signal.throwIfAborted();
      entries ??= readSession({ file }).then(
        (session) => new Map(session.entries.map((entry) => [positionKey(entry.position), entry])),
      );
      const entry = (await entries).get(positionKey(position));
      if (!entry) throw missingError({ file, position });
      return { ...entry.answer, drifted: entry.requestDigest !== digestOfRequest(request) };
    },
  };
}

/** SHA-256 over everything in a request, independent of the order of object keys. */
export function digestOfRequest(request: ChatRequest): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

/** JSON with sorted keys, without absent values. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const plainPosition = ({ role, step, turn, instance }: CallPosition) => ({
  role,
  step,
  turn,
  ...(instance === undefined ? {} : { instance }),
});

function missingError({ file, position }: { file: string; position: CallPosition }): ModelError {
  const { role, step, turn, instance } = position;
  const where = `${role}, step ${step}, turn ${turn}${instance === undefined ? '' : `, instance ${instance}`}`;
  return new ModelError({
    code: 'TG-M08',
    what: `The recorded session ${file} has no answer for ${where}.`,
    meaning: 'The run went another way than the recorded one: other inputs, settings or versions.',
    fix: 'Run it with the inputs and settings it was recorded with, or record it anew: unset TESTGRAD_REPLAY, set OPENAI_API_KEY and TESTGRAD_RECORD.',
  });
}
