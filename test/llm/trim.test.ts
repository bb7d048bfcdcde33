import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/llm/chat.js';
import { countConversation, countTokens } from '../../src/llm/tokens.js';
import { trimConversation } from '../../src/llm/trim.js';

/** A conversation of `sizes.length` turns; turn n reads file n and gets about `sizes[n]` tokens. */
function conversation(sizes: readonly number[]): ChatMessage[] {
  return [
    { role: 'system', content: 'Rules.' },
    { role: 'user', content: 'The issue and the tests.' },
    ...sizes.flatMap((size, n): ChatMessage[] => [
      {
        role: 'assistant',
        content: `I read file ${n}.`,
        toolCalls: [{ id: `c${n}`, name: 'read_file', argumentsText: `{"path": "tests/file_${n}.py"}` }],
      },
      { role: 'tool', callId: `c${n}`, content: ' word'.repeat(size) },
    ]),
  ];
}

const trim = (messages: readonly ChatMessage[], contextTokens: number, reserveTokens = 0) =>
  trimConversation({ messages, contextTokens, reserveTokens });

describe('trimming', () => {
  it('leaves alone what fits, to the token', () => {
    const messages = conversation([100, 100]);
    const exact = countConversation(messages);
    expect(trim(messages, exact + 50, 50)).toEqual({ messages, removed: 0, clipped: 0, tokens: exact, fits: true });
    expect(trim(messages, exact + 49, 50).removed).toBe(1);
  });

  it('replaces the oldest results by a line that names the call', () => {
    const messages = conversation([500, 500, 500, 500]);
    const { messages: trimmed, removed, fits, tokens } = trim(messages, 1900);
    expect({ removed, fits }).toEqual({ removed: 1, fits: true });
    expect(trimmed[3]?.content).toBe(
      '[The result of read_file {"path": "tests/file_0.py"} was left out to save space; call it again if you need it.]',
    );
    expect(trimmed.slice(4)).toEqual(messages.slice(4));
    expect(tokens).toBe(countConversation(trimmed));
    expect(messages[3]?.content).toContain('word');
  });

  it('cuts the latest results when the others are not enough, the longest ones only', () => {
    const many = conversation([300, 300, 4000]);
    const last: ChatMessage[] = [
      { role: 'tool', callId: 'd1', content: 'short' },
      { role: 'tool', callId: 'd2', content: ' word'.repeat(900) },
    ];
    const messages = [...many, ...last, { role: 'user', content: 'Submit now.' } as const];
    const { messages: trimmed, removed, clipped, fits, tokens } = trim(messages, 1000);
    expect({ removed, clipped, fits }).toEqual({ removed: 2, clipped: 2, fits: true });
    expect(tokens).toBe(countConversation(trimmed));
    // It is used, not given away.
    expect(tokens).toBeGreaterThan(800);
    expect(trimmed.filter(({ role }) => role !== 'tool')).toEqual(messages.filter(({ role }) => role !== 'tool'));
    expect(trimmed.at(-3)).toEqual(last[0]);
    for (const cut of [trimmed.at(-4), trimmed.at(-2)]) {
      expect(cut?.content).toMatch(/^ word[ \w]*\n\[cut: .* \d+ characters left out, ask for less at a time\]$/);
    }
  });

  it('says when everything that is not a result is too much already', () => {
    const messages = conversation([300, 4000]);
    expect(trim(messages, 60)).toMatchObject({ fits: false });
    const long = [{ role: 'user', content: ' word'.repeat(500) } as const];
    expect(trim(long, 400)).toEqual({
      messages: long,
      removed: 0,
      clipped: 0,
      tokens: countConversation(long),
      fits: false,
    });
  });

  it('does not replace results that are shorter than the note', () => {
    const messages = conversation([2, 900, 900]);
    expect(trim(messages, 1500).messages[3]).toEqual(messages[3]);
  });

  it('keeps the same prefix for several turns, so that the endpoint’s cache holds', () => {
    const sizes = Array.from({ length: 30 }, () => 100);
    const removed = sizes.map((_, n) => trim(conversation(sizes.slice(0, n + 1)), 2400).removed);
    const changes = removed.filter((count, n) => n > 0 && count !== removed[n - 1]).length;
    expect(removed.at(-1)).toBeGreaterThan(10);
    expect(changes).toBeLessThan(10);
  });

  it('always fits when it says so, and is the same every time', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(400), { maxLength: 12 }), fc.integer({ min: 100, max: 3000 }), (sizes, context) => {
        const messages = conversation(sizes);
        const first = trim(messages, context, 60);
        expect(trim(messages, context, 60)).toEqual(first);
        expect(first.tokens).toBe(countConversation(first.messages));
        expect(first.fits).toBe(first.tokens <= context - 60);
        expect(first.messages.length).toBe(messages.length);
      }),
      { numRuns: 40 },
    );
  });
});

describe('counting tokens', () => {
  it('counts words about right, and text of any kind in reasonable time', () => {
    expect(countTokens('')).toBe(0);
    expect(countTokens(' word'.repeat(1000))).toBeGreaterThan(990);
    expect(countTokens(' word'.repeat(1000))).toBeLessThan(1010);
    expect(countTokens('a <|endoftext|> b')).toBeGreaterThan(3);
    const before = performance.now();
    countTokens(' '.repeat(300_000));
    countTokens('a'.repeat(300_000));
    expect(performance.now() - before).toBeLessThan(8000);
  });
});
