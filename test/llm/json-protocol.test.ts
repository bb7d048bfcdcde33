import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../../src/llm/chat.js';
import { extractCalls, toTextMessages } from '../../src/llm/json-protocol.js';

const tool = (name: string) => ({ name, description: `What ${name} does.`, parameters: { type: 'object' } });
const tools = [tool('read_file'), tool('submit_update')];
const calls = (text: string) => extractCalls({ text, tools });

describe('a call in text', () => {
  const expected = [{ name: 'read_file', argumentsText: '{"path":"a.py"}' }];
  it.each([
    ['bare', '{"tool": "read_file", "arguments": {"path": "a.py"}}'],
    ['fenced', 'First I read.\n```json\n{"tool": "read_file", "arguments": {"path": "a.py"}}\n```\nThen we see.'],
    ['in prose', 'I use {"tool": "read_file", "arguments": {"path": "a.py"}} now.'],
    ['with the words of the API', '{"name": "read_file", "parameters": {"path": "a.py"}}'],
    ['in tags', '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.py"}}\n</tool_call>'],
    ['with its arguments as text', '{"tool": "read_file", "arguments": "{\\"path\\":\\"a.py\\"}"}'],
    ['after braces that are no JSON', 'Given {x} and set {1, 2}: {"tool": "read_file", "arguments": {"path": "a.py"}}'],
    ['inside another object', '{"call": {"tool": "read_file", "arguments": {"path": "a.py"}}, oops}'],
    [
      'written twice',
      '{"tool": "read_file", "arguments": {"path": "a.py"}}\n{"tool":"read_file","arguments":{"path":"a.py"}}',
    ],
    [
      'after thinking about another',
      '<think>Or {"tool": "read_file", "arguments": {"path": "b.py"}}?</think>{"tool": "read_file", "arguments": {"path": "a.py"}}',
    ],
  ])('is found %s', (_how, text) => {
    expect(calls(text)).toEqual(expected);
  });

  it('is found when line breaks inside its strings are raw', () => {
    const [call] = calls(
      '{"tool": "submit_update", "arguments": {"source": "def test_a():\n\tassert f() == {\\"a\\": 1}\n"}}',
    );
    expect(JSON.parse(call?.argumentsText ?? '')).toEqual({ source: 'def test_a():\n\tassert f() == {"a": 1}\n' });
  });

  it('may be one of several, which keep their order', () => {
    const text = '{"tool": "submit_update", "arguments": {}} and {"tool": "read_file", "arguments": {"path": "z"}}';
    expect(calls(text).map(({ name }) => name)).toEqual(['submit_update', 'read_file']);
  });

  it.each([
    ['no JSON', 'I would read a.py.'],
    ['another tool', '{"tool": "rm", "arguments": {}}'],
    ['a cut object', '{"tool": "read_file", "arguments": {"path": "a.py"'],
    ['an open thought', '<think>{"tool": "read_file", "arguments": {}}'],
    ['a list', '["read_file"]'],
  ])('is not seen in %s', (_what, text) => {
    expect(calls(text)).toEqual([]);
  });

  it('survives any prose around it and any text inside it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (prose, inside) => {
        const before = prose.replaceAll(/[{"<]/g, '');
        const written = JSON.stringify({ tool: 'read_file', arguments: { path: inside } });
        const [call] = calls(`${before}${written}${before}`);
        expect(JSON.parse(call?.argumentsText ?? '{}')).toEqual({ path: inside });
      }),
    );
  });

  it('is looked for in bounded time', () => {
    const before = performance.now();
    expect(calls('{'.repeat(200_000))).toEqual([]);
    expect(performance.now() - before).toBeLessThan(8000);
  });
});

describe('a conversation in text', () => {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'You are careful.' },
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: 'I read two.',
      toolCalls: [
        { id: 'c1', name: 'read_file', argumentsText: '{"path":"a.py"}' },
        { id: 'c2', name: 'read_file', argumentsText: '{"path":"b.py"}' },
      ],
    },
    { role: 'tool', callId: 'c1', content: 'text of a' },
    { role: 'tool', callId: 'c2', content: 'text of b' },
    { role: 'user', content: 'Submit now.' },
  ];
  const text = toTextMessages({ messages, tools });

  it('has turns that alternate, with results under the name of their tool', () => {
    expect(text.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(text[3]?.content).toBe('Result of read_file:\ntext of a\n\nResult of read_file:\ntext of b\n\nSubmit now.');
  });

  it('describes every tool with its schema, and shows calls in the form that is asked for', () => {
    expect(text[0]?.content).toMatch(
      /^You are careful\.[\s\S]*### read_file\nWhat read_file does\.\nArguments.*\n\n### submit_update/,
    );
    expect(calls(text[2]?.content ?? '').map(({ argumentsText }) => argumentsText)).toEqual([
      '{"path":"a.py"}',
      '{"path":"b.py"}',
    ]);
  });

  it('does not repeat a call that the model wrote as text', () => {
    const content = 'So: {"tool": "read_file", "arguments": {"path": "a.py"}}';
    const said: ChatMessage = {
      role: 'assistant',
      content,
      toolCalls: [{ id: 'c1', name: 'read_file', argumentsText: '{"path":"a.py"}' }],
    };
    expect(toTextMessages({ messages: [said], tools })[1]?.content).toBe(content);
  });
});
