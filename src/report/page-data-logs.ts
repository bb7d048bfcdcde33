import type { ChatMessage } from '../core/chat.js';
import type { LlmRole } from '../core/usage.js';
import type { PageLog } from './page-data.js';
import { safeText } from './safe-text.js';

/** Characters of one message; the files of the run have all of it. */
const MAX_MESSAGE = 12_000;

/** A conversation for a page, or null where it is none. */
export function pageLog({
  role,
  step,
  conversation,
}: {
  role: LlmRole;
  step: number;
  conversation: unknown;
}): PageLog | null {
  const messages = (conversation as { messages?: unknown } | null)?.messages;
  if (!Array.isArray(messages)) return null;
  return { role, step, messages: (messages as readonly ChatMessage[]).map(pageMessage) };
}

function pageMessage(message: ChatMessage): PageLog['messages'][number] {
  if (message.role === 'assistant') {
    const calls = (message.toolCalls ?? []).map(
      ({ name, argumentsText }) => `${name} ${argumentsLines(argumentsText)}`,
    );
    return {
      who: 'model',
      text: clipped([message.content ?? '', ...calls].filter((part) => part !== '').join('\n\n')),
    };
  }
  const who = message.role === 'tool' ? 'tool' : message.role === 'system' ? 'instructions' : 'prompt';
  return { who, text: clipped(message.content) };
}

/** Arguments that are JSON get a line for each field and for each line of code; others stay as they are. */
function argumentsLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(/\\n/g, '\n').replace(/\\"/g, '"');
  } catch {
    return text;
  }
}

function clipped(text: string): string {
  const safe = safeText(text);
  return safe.length <= MAX_MESSAGE
    ? safe
    : `${safe.slice(0, MAX_MESSAGE)}\n(${safe.length - MAX_MESSAGE} more characters in the run's folder)`;
}
