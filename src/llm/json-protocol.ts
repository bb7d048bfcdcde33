import type { ChatMessage, ToolDefinition } from './chat.js';

/** A call found in text. */
export interface TextCall {
  readonly name: string;
  readonly argumentsText: string;
}

/**
 * A conversation for endpoints without tool calls: the tools are described in the system message, calls and their
 * results are text, and neighbouring messages of one role are joined, as many chat templates want turns to alternate.
 */
export function toTextMessages({
  messages,
  tools,
}: {
  messages: readonly ChatMessage[];
  tools: readonly ToolDefinition[];
}): { role: 'system' | 'user' | 'assistant'; content: string }[] {
  const names = new Map<string, string>();
  const plain = messages.map((message) => {
    if (message.role === 'tool') {
      const of = names.get(message.callId) ?? message.callId;
      return { role: 'user' as const, content: `Result of ${of}:\n${message.content}` };
    }
    if (message.role !== 'assistant') return { role: message.role, content: message.content };
    for (const call of message.toolCalls) names.set(call.id, call.name);
    // Where the call came as text, it already stands there.
    const calls = extractCalls({ text: message.content, tools }).length > 0 ? [] : message.toolCalls;
    const written = calls.map((call) => `{"tool": ${JSON.stringify(call.name)}, "arguments": ${call.argumentsText}}`);
    return { role: 'assistant' as const, content: [message.content, ...written].filter(Boolean).join('\n\n') };
  });
  const instruction = { role: 'system' as const, content: protocolText(tools) };
  const system = plain[0]?.role === 'system' ? 1 : 0;
  const joined: { role: 'system' | 'user' | 'assistant'; content: string }[] = [];
  for (const message of [...plain.slice(0, system), instruction, ...plain.slice(system)]) {
    const last = joined.at(-1);
    if (last?.role === message.role) last.content += `\n\n${message.content}`;
    else joined.push({ ...message });
  }
  return joined;
}

function protocolText(tools: readonly ToolDefinition[]): string {
  const described = tools.map(
    ({ name, description, parameters }) =>
      `### ${name}\n${description}\nArguments (JSON schema): ${JSON.stringify(parameters)}`,
  );
  return [
    '## Tools',
    'You act by calling one tool in each answer. Write the call as one JSON object, in a ```json block, at the end of your answer:',
    '```json\n{"tool": "<name>", "arguments": {…}}\n```',
    'Inside JSON strings write line breaks as \\n and quotes as \\". The result comes back as the next message.',
    ...described,
  ].join('\n\n');
}

/**
 * Calls of the offered tools that stand in a text as JSON objects, in a fence, in prose or bare, in their order.
 *
 * Takes `{"tool" | "name": …, "arguments" | "parameters": {…}}`, repairs raw line breaks and tabs inside strings, and
 * leaves out what stands inside `<think>` and calls that occur twice. Empty when there is none.
 */
export function extractCalls({ text, tools }: { text: string; tools: readonly ToolDefinition[] }): TextCall[] {
  if (tools.length === 0 || !text.includes('{')) return [];
  const offered = new Set(tools.map((tool) => tool.name));
  const spoken = text.replace(/<think>[\s\S]*?(<\/think>|$)/g, '');
  const found = new Map<string, TextCall>();
  for (const value of jsonObjects(spoken)) {
    const name = value.tool ?? value.name;
    const given = value.arguments ?? value.parameters;
    if (typeof name !== 'string' || !offered.has(name)) continue;
    const argumentsText = textOfArguments(given);
    found.set(`${name} ${argumentsText}`, { name, argumentsText });
  }
  return [...found.values()];
}

/** A call's arguments as text: some models and endpoints write them as an object. What cannot be written is no JSON. */
export function textOfArguments(given: unknown): string {
  if (typeof given === 'string') return given;
  try {
    return JSON.stringify(given ?? {});
  } catch {
    return 'nested too deeply';
  }
}

/** Every outermost JSON object in a text; what does not parse is looked into for objects further in. */
function jsonObjects(text: string): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  let at = text.indexOf('{');
  // Each opening brace is followed to its partner once; the bound keeps hostile text from costing quadratic time.
  for (let tries = 0; at !== -1 && tries < 200; tries += 1) {
    const balanced = balancedObject({ text, start: at });
    const value = balanced ? parseObject(balanced.json) : null;
    if (value) found.push(value);
    at = text.indexOf('{', balanced && value ? balanced.end : at + 1);
  }
  return found;
}

/** Text from an opening brace to its partner, with raw control characters inside strings escaped. */
function balancedObject({ text, start }: { text: string; start: number }): { json: string; end: number } | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return { json: escapeInStrings(text.slice(start, at + 1)), end: at + 1 };
    }
  }
  return null;
}

const RAW: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Models write line breaks and tabs into JSON strings as they are, which JSON forbids. */
const escapeInStrings = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (string) => string.replace(/[\n\r\t]/g, (char) => RAW[char] ?? char));

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
