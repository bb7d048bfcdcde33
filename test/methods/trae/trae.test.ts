import { describe, expect, it } from 'vitest';
import type { PreparedCandidate } from '../../../src/core/candidate.js';
import type { ChatMessage } from '../../../src/core/chat.js';
import { cleanedPatch } from '../../../src/methods/trae/cleaned-patch.js';
import { selectorMessages } from '../../../src/methods/trae/prompt.js';
import { selectByTrae, TRAE_OPTIONS, type TraeOptions } from '../../../src/methods/trae/select.js';
import { continued, selectorTurn } from '../../../src/methods/trae/turn.js';
import { CALL, excluded, type Said, scriptedModel, shelf, usable } from '../scripted.js';

const report = (number: number | string): string => `### Status: succeed\n### Result: Patch-${number}\n### Analysis: …`;
const looks = (...commands: readonly string[]): Said => ({
  content: 'Let me look.',
  calls: commands.map((command) => ({ name: 'bash', argumentsText: JSON.stringify({ command }) })),
});

const diff = (change: string) => `--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x = 0\n+x = ${change}\n`;

/** A whole run of TRAE on these answers; `regressions` are failed regression tests by candidate. */
async function select({
  candidates = [usable(0), usable(1), usable(2)],
  changes = ['1', '2', '3', '4', '5', '6', '7'],
  regressions = [],
  answers,
  options = {},
  tokens = Number.POSITIVE_INFINITY,
}: {
  candidates?: readonly PreparedCandidate[];
  changes?: readonly string[];
  regressions?: readonly number[];
  answers: readonly Said[];
  options?: Partial<TraeOptions>;
  tokens?: number;
}) {
  const model = scriptedModel(answers);
  const documents = shelf();
  const called: { command: string; before: string | null }[] = [];
  let left = tokens;
  const result = await selectByTrae({
    input: { instance: 'demo', candidates },
    options: { ...TRAE_OPTIONS, ...options },
    ports: {
      passingTests: async () => ({ tests: documents.put(['t']), count: regressions.length }),
      pruneTests: async ({ tests }) => ({ tests, count: 1, usage: CALL, conversation: documents.put('pruning') }),
      countRegressions: async ({ index }) => ({ failed: regressions[index] ?? 0, named: [] }),
      cleanedKey: async ({ index }) => cleanedPatch(diff(changes[index] ?? '')),
      tokensLeft: () => left,
      selectorTurn: async ({ shown, run, conversation, results }) => {
        const diffs = shown.map((index) => diff(changes[index] ?? ''));
        const texts = new Map(results.map(({ callId, result: ref }) => [callId, documents.get<string>(ref)]));
        const messages =
          conversation === null
            ? selectorMessages({ issue: 'Fix it.', repositoryPath: '/repo', diffs })
            : continued({ messages: documents.get<ChatMessage[]>(conversation), results: texts });
        const turn = await selectorTurn({ messages, patches: shown.length, sample: run, ask: model.ask });
        left -= turn.answer.usage.inputTokens + turn.answer.usage.outputTokens;
        return { end: turn.end, usage: turn.answer.usage, conversation: documents.put(turn.messages) };
      },
      selectorCall: async ({ conversation, callId, workspace }) => {
        const last = documents.get<ChatMessage[]>(conversation).at(-1);
        const call = last?.role === 'assistant' ? last.toolCalls.find(({ id }) => id === callId) : undefined;
        const { command } = JSON.parse(call?.argumentsText ?? '{}') as { command: string };
        const before = workspace === null ? null : documents.get<string>(workspace);
        called.push({ command, before });
        return {
          result: documents.put(`output of ${command}`),
          workspace: documents.put(`${before ?? ''}${command};`),
        };
      },
    },
  });
  return { result, asked: model.asked, called };
}

describe('TRAE', () => {
  it('lets the selector look around and then vote; three equal votes of five end it', async () => {
    const { result, asked, called } = await select({
      answers: [looks('ls', 'cat a.py'), looks('pytest'), report(2), report(1), report(2), report(2)],
    });
    expect(result).toMatchObject({ method: 'trae', index: 1, fallback: null });
    expect(result.reason).toBe('3 of 4 votes of the selector among 3 candidates.');
    expect(result.usage.calls).toBe(6);
    expect(result.conversations).toHaveLength(4);
    // Calls of a run see what earlier ones changed.
    expect(called).toEqual([
      { command: 'ls', before: null },
      { command: 'cat a.py', before: 'ls;' },
      { command: 'pytest', before: 'ls;cat a.py;' },
    ]);
    expect(asked[1]?.messages.slice(-3)).toMatchObject([
      { role: 'assistant' },
      { role: 'tool', content: 'output of ls' },
      { role: 'tool', content: 'output of cat a.py' },
    ]);
    expect(asked[0]).toMatchObject({ temperature: 0.5, maxOutputTokens: 4096 });
    expect(asked[0]?.tools.map(({ name }) => name)).toEqual(['bash', 'str_replace_based_edit_tool']);
    // Every run starts afresh, and is asked for as a sample of its own.
    expect(asked[3]?.messages).toHaveLength(2);
    expect(asked.map(({ sample }) => sample)).toEqual([1, 1, 1, 2, 3, 4]);
  });

  it('takes the most votes, and of a tie the candidate that was voted for first', async () => {
    const { result } = await select({ answers: [report(3), report(1), report(1), report(3), report(2)] });
    expect(result.index).toBe(2);
    expect(result.reason).toContain('2 of 5 votes');
  });

  it('shows the candidates without regressions only, and each change once, under new numbers', async () => {
    const { result, asked } = await select({
      candidates: [usable(0), usable(1), usable(2), usable(3)],
      regressions: [1, 0, 0, 0],
      changes: ['1', '2', '2  # the same', '4'],
      answers: [report(2), report(2), report(2)],
    });
    expect(result.index).toBe(3);
    expect(asked[0]?.messages[1]?.content).toContain('Patch-1 to Patch-2');
    expect(result.evidence).toContainEqual({ index: 0, fact: 'fails 1 of 1 regression tests' });
    expect(result.usage.calls).toBe(4);
  });

  it('shows all where every candidate has regressions', async () => {
    const { asked } = await select({ regressions: [1, 1, 1], answers: [report(1), report(1), report(1)] });
    expect(asked[0]?.messages[1]?.content).toContain('Patch-1 to Patch-3');
  });

  it('asks nothing where pruning and leaving out duplicates leave one', async () => {
    const pruned = await select({ regressions: [1, 0, 2], answers: [] });
    expect(pruned.result).toMatchObject({ index: 1, fallback: null });
    const equal = await select({ changes: ['1', ' 1', '1 # x'], answers: [] });
    expect(equal.result).toMatchObject({ index: 0, usage: { calls: 0 } });
    const single = await select({ candidates: [excluded(0), usable(1)], answers: [] });
    expect(single.result.index).toBe(1);
  });

  it('counts a report that names none for the first candidate, and says so when nothing else decided', async () => {
    const { result } = await select({ answers: [report('**Patch-2**'), report(9), report('')] });
    expect(result.index).toBe(0);
    expect(result.fallback).toContain('the report names no candidate');
    const mixed = await select({ answers: [report(9), report(1), report(1)] });
    expect(mixed.result).toMatchObject({ index: 0, fallback: null });
  });

  it('goes on after a report without its analysis', async () => {
    const { result, asked } = await select({
      options: { votes: 1 },
      answers: ['Status: succeed\nResult: Patch-3', report(3)],
    });
    expect(result.index).toBe(2);
    expect(asked[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'Go on.' });
  });

  it('repeats a run that breaks off, and takes the first candidate when the last repetition breaks too', async () => {
    const { result } = await select({ options: { votes: 1 }, answers: ['I refuse.', 'No.', report(2)] });
    expect(result).toMatchObject({ index: 1, fallback: null, usage: { calls: 3 } });
    const broken = await select({ answers: ['I refuse.', '', 'No.'] });
    expect(broken.result.index).toBe(0);
    expect(broken.result.fallback).toContain('Every run of the selector broke.');
  });

  it('takes the first candidate when the turns are used up', async () => {
    const { result } = await select({
      options: { votes: 1, maxTurns: 2 },
      answers: [looks('ls'), looks('ls')],
    });
    expect(result.index).toBe(0);
    expect(result.fallback).toContain('no report in 2 turns');
  });

  it('stops when the tokens are spent, and keeps the votes that were cast', async () => {
    const { result } = await select({ tokens: 115, answers: [report(3), looks('ls')] });
    expect(result).toMatchObject({ index: 2, reason: '1 of 1 votes of the selector among 3 candidates.' });
    const none = await select({ tokens: 50, answers: [looks('ls')] });
    expect(none.result.fallback).toContain('The tokens were spent before a vote.');
  });

  it('runs a few calls of an answer at most, and answers the others', async () => {
    const many = Array.from({ length: 10 }, (_, at) => `echo ${at}`);
    const { called, asked } = await select({ options: { votes: 1 }, answers: [looks(...many), report(1)] });
    expect(called).toHaveLength(8);
    const results = asked[1]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results).toHaveLength(10);
    expect(results.at(-1)?.content).toContain('Not run');
  });

  it('has the winners of the groups meet again', async () => {
    const { result, asked } = await select({
      candidates: [0, 1, 2, 3, 4].map((index) => usable(index)),
      options: { groupSize: 2, votes: 1 },
      answers: [report(2), report(1), report(2), report(1)],
    });
    // 1 and 2 win in their groups, 4 is alone; 2 beats 1, and then 4.
    expect(result.index).toBe(2);
    expect(asked.map(({ sample }) => sample)).toEqual([1, 2, 3, 4]);
  });
});
