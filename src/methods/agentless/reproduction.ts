import type { ChatMessage } from '../../core/chat.js';
import type { Ask, AskAnswer } from '../method.js';
import { delimited } from '../testgrad/text.js';
import { AGENTLESS_OUTPUT_TOKENS, AGENTLESS_SYSTEM } from './prune.js';

/** Name of a reproduction test at the root of the repository, as published. */
export const REPRODUCTION_FILE = 'reproduce_bug.py';

const REPRODUCED = 'Issue reproduced';
const RESOLVED = 'Issue resolved';
const OTHER = 'Other issues';

/** What the log of a reproduction test says; `unclear` when it says none of the sentences, or several. */
export type ReproductionVerdict = 'reproduced' | 'resolved' | 'other' | 'unclear';

/**
 * Asks once for a standalone test of the issue. `script` is null when the answer holds no Python block, or an empty one.
 *
 * The prompt holds the issue and nothing of the repository, and is the same for all samples.
 */
export async function writeReproduction({
  issue,
  sample,
  temperature,
  ask,
}: {
  issue: string;
  /** From 0. */
  sample: number;
  temperature: number;
  ask: Ask;
}): Promise<{ script: string | null; messages: readonly ChatMessage[]; answer: AskAnswer }> {
  const messages: ChatMessage[] = [AGENTLESS_SYSTEM, { role: 'user', content: reproductionPrompt(issue) }];
  const answer = await ask({ messages, tools: [], maxOutputTokens: AGENTLESS_OUTPUT_TOKENS, temperature, sample });
  return { script: scriptOf(answer.content), messages, answer };
}

/** The first Python block of an answer, trimmed; null without one. */
export function scriptOf(text: string): string | null {
  const block = /```python\n([\s\S]*?)```/.exec(text)?.[1]?.trim() ?? '';
  return block === '' ? null : block;
}

/** Reads the log of a reproduction test; colours of the terminal do not count. */
export function verdictOf(log: string): ReproductionVerdict {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a colour begins.
  const plain = log.replace(/\x1b\[\d+m/g, '');
  const said = [REPRODUCED, RESOLVED, OTHER].filter((sentence) => plain.includes(sentence));
  if (said.length !== 1) return 'unclear';
  return said[0] === REPRODUCED ? 'reproduced' : said[0] === RESOLVED ? 'resolved' : 'other';
}

/** The prompt, in other words than the published one. */
function reproductionPrompt(issue: string): string {
  return [
    'We are solving the following issue of a repository. Here is its text:',
    delimited({ tag: 'issue', text: issue }),
    `Write one complete test that can be used to reproduce the issue and to verify that it is fixed. It is a standalone Python file with all its imports. It prints exactly one of these sentences, depending on what it finds:
- "${REPRODUCED}" when the behaviour that the issue complains about is there;
- "${RESOLVED}" when the behaviour is as the issue wants it;
- "${OTHER}" when something else goes wrong, such as the set-up.`,
    'Here is an example:',
    EXAMPLE,
    'The test must reproduce the issue on the present code, and must verify a fix of it. Put it into one block that starts with ```python.',
  ].join('\n\n');
}

const EXAMPLE = `\`\`\`python
from proselint_rules import check


def test_double_space_is_reported():
    try:
        findings = check("One  two.", rules=["S12"])
        assert len(findings) == 1
    except Exception:
        print("${OTHER}")
        return

    try:
        assert findings[0].message == "Use one space between words."
        print("${RESOLVED}")
    except AssertionError:
        print("${REPRODUCED}")


test_double_space_is_reported()
\`\`\``;
