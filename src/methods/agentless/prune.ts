import type { ChatMessage } from '../../core/chat.js';
import { NO_USAGE, type Usage } from '../../core/usage.js';
import type { Ask, AskAnswer } from '../method.js';
import { delimited } from '../testgrad/text.js';

/** Tokens that the prompt stays below, as published. */
const PROMPT_TOKENS = 128_000;

/** Output tokens of every call of Agentless, as published. */
export const AGENTLESS_OUTPUT_TOKENS = 1024;

/** The standing instruction that goes before every prompt of Agentless. */
export const AGENTLESS_SYSTEM: ChatMessage = { role: 'system', content: 'You are a helpful assistant.' };

/** What came of asking which tests a fix may break. */
export interface PrunedTests {
  readonly remaining: readonly string[];
  readonly named: readonly string[];
  /** Tests that the prompt had no room for; they are lost, as published. */
  readonly cutOff: number;
  readonly usage: Usage;
  /** Null when there was no test to ask about. */
  readonly asked: { readonly messages: readonly ChatMessage[]; readonly answer: AskAnswer } | null;
}

/**
 * Asks once, at temperature 0, which of the tests that pass on the base should not be run after the fix, and takes those
 * away by name: Agentless's delete.
 *
 * A prompt of 128,000 tokens or more is cut by halving the list. An answer without a known name takes nothing away.
 */
export async function pruneTests({
  issue,
  tests,
  ask,
  countTokens,
}: {
  issue: string;
  tests: readonly string[];
  ask: Ask;
  countTokens: (text: string) => number;
}): Promise<PrunedTests> {
  if (tests.length === 0) return { remaining: [], named: [], cutOff: 0, usage: NO_USAGE, asked: null };
  let listed = tests;
  while (listed.length > 1 && countTokens(pruningPrompt({ issue, tests: listed })) >= PROMPT_TOKENS) {
    listed = listed.slice(0, Math.floor(listed.length / 2));
  }
  const messages = [AGENTLESS_SYSTEM, { role: 'user', content: pruningPrompt({ issue, tests: listed }) } as const];
  const answer = await ask({
    messages,
    tools: [],
    maxOutputTokens: AGENTLESS_OUTPUT_TOKENS,
    temperature: 0,
    sample: 0,
  });
  const lines = new Set(answer.content.trim().split('\n'));
  return {
    remaining: listed.filter((test) => !lines.has(test)),
    named: listed.filter((test) => lines.has(test)),
    cutOff: tests.length - listed.length,
    usage: answer.usage,
    asked: { messages, answer },
  };
}

/** The prompt, in other words than the published one. */
function pruningPrompt({ issue, tests }: { issue: string; tests: readonly string[] }): string {
  return [
    'We are solving the following issue of a repository. Here is its text:',
    delimited({ tag: 'issue', text: issue }),
    'Here are the existing tests of the repository, one a line:',
    `\`\`\`\n${tests.join('\n')}\n\`\`\``,
    'Name the tests that should NOT be run after the issue is fixed, because the fix may rightly change the behaviour which they check. Write their names exactly as they are listed, one a line, in a fenced block, such as:',
    '```\ntests/test_first.py::test_one\ntests/test_second.py::TestCase::test_two\n```',
    'Answer with nothing but the names.',
  ].join('\n\n');
}
