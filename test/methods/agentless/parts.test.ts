import { describe, expect, it } from 'vitest';
import { passedTests, regressionsIn } from '../../../src/methods/agentless/outcomes.js';
import { pruneTests } from '../../../src/methods/agentless/prune.js';
import { scriptOf, verdictOf, writeReproduction } from '../../../src/methods/agentless/reproduction.js';
import { mostVoted, rerank } from '../../../src/methods/agentless/rerank.js';
import { CALL, ran, scriptedModel } from '../scripted.js';

const ISSUE = 'Replacing a value evicts too much.';

describe('pruning the regression tests', () => {
  const tests = ['tests/t.py::test_a', 'tests/t.py::test_b', 'tests/t.py::test_c'];
  const prune = (answers: readonly string[], countTokens = (text: string) => text.length) => {
    const model = scriptedModel(answers);
    return pruneTests({ issue: ISSUE, tests, ask: model.ask, countTokens }).then((pruned) => ({ pruned, ...model }));
  };

  it('takes away what the answer names exactly, line by line', async () => {
    const { pruned, asked } = await prune(['```\ntests/t.py::test_b\n- tests/t.py::test_c\ntests/t.py::test_x\n```']);
    expect(pruned).toMatchObject({ remaining: [tests[0], tests[2]], named: [tests[1]], cutOff: 0, usage: CALL });
    expect(asked[0]).toMatchObject({ temperature: 0, maxOutputTokens: 1024, tools: [] });
    expect(asked[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(asked[0]?.messages[1]?.content).toContain(`\`\`\`\n${tests.join('\n')}\n\`\`\``);
  });

  it('takes nothing away on an empty answer or a refusal', async () => {
    for (const answer of ['', '   \n', 'I cannot help with that.']) {
      expect((await prune([answer])).pruned.remaining).toEqual(tests);
    }
  });

  it('halves a list that the prompt has no room for; what was cut is lost', async () => {
    const { pruned, asked } = await prune([''], (text) => (text.includes('test_b\n') ? 128_000 : 127_999));
    expect(pruned).toMatchObject({ remaining: [tests[0]], cutOff: 2 });
    expect(asked).toHaveLength(1);
  });

  it('asks nothing without a test', async () => {
    const model = scriptedModel([]);
    const pruned = await pruneTests({ issue: ISSUE, tests: [], ask: model.ask, countTokens: () => 0 });
    expect(pruned).toMatchObject({ remaining: [], asked: null, usage: { calls: 0 } });
  });
});

describe('regressions', () => {
  it('are what passes on the base and then fails, breaks, hangs or is gone', () => {
    const base = ran({ a: 'passed', b: 'passed', c: 'passed', d: 'passed', e: 'passed', f: 'xfailed', g: 'failed' });
    const tests = passedTests(base);
    expect(tests).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `tests/t.py::${name}`));
    const run = ran({ a: 'passed', b: 'failed', c: 'error', d: 'timeout', h: 'failed' });
    expect(regressionsIn({ run, tests })).toEqual(['b', 'c', 'd', 'e'].map((name) => `tests/t.py::${name}`));
  });

  it('are no skipped tests, none that are expected to fail, and none in a file on which our side broke', () => {
    const tests = ['tests/t.py::a', 'tests/t.py::b'];
    expect(regressionsIn({ run: ran({ a: 'skipped', b: 'xfailed' }), tests })).toEqual([]);
    const [file] = ran({}).files;
    if (file === undefined) throw new Error('a run has a file');
    const broken = { ...ran({}), files: [{ ...file, state: 'infra' as const }] };
    expect(regressionsIn({ run: broken, tests })).toEqual([]);
    expect(regressionsIn({ run: { ...broken, files: [{ ...file, state: 'crashed' }] }, tests })).toEqual(tests);
  });
});

describe('a reproduction test', () => {
  it('is the first Python block of an answer', async () => {
    const model = scriptedModel(['Sure:\n```python\n\nprint(1)\n```\n```python\nprint(2)\n```']);
    const { script } = await writeReproduction({ issue: ISSUE, sample: 7, temperature: 0.8, ask: model.ask });
    expect(script).toBe('print(1)');
    expect(model.asked[0]).toMatchObject({ sample: 7, temperature: 0.8, maxOutputTokens: 1024, tools: [] });
    const prompt = model.asked[0]?.messages[1]?.content ?? '';
    for (const words of [ISSUE, 'Issue reproduced', 'Issue resolved', 'Other issues']) expect(prompt).toContain(words);
  });

  it.each(['', 'No.', '```\nprint(1)\n```', '```python\n \n```', '```python\nprint(1)'])('is missing in %j', (text) => {
    expect(scriptOf(text)).toBeNull();
  });

  it('says one of the three sentences, or nothing that counts', () => {
    expect(verdictOf('x\n\u001b[31mIssue \u001b[0mreproduced\n')).toBe('reproduced');
    expect(verdictOf('Issue resolved')).toBe('resolved');
    expect(verdictOf('Other issues')).toBe('other');
    for (const log of ['', 'issue resolved', 'Issue reproduced\nIssue resolved', 'Issue resolved, Other issues']) {
      expect(verdictOf(log)).toBe('unclear');
    }
  });
});

describe('the decision', () => {
  const patch = (key: string, regressions: number | null = 0, resolves = true) => ({ key, regressions, resolves });

  it('is the first with the fewest regressions that resolves the issue, where all patches differ', () => {
    const ranking = rerank([patch('a', 1), patch('b', 0, false), patch('c'), patch('d')]);
    expect(ranking).toEqual({ index: 2, eligible: [2, 3], votes: 1, filter: 'both' });
  });

  it('follows the largest class of equal patches; a tie goes to the class that begins first', () => {
    expect(rerank([patch('a'), patch('b'), patch('b')])).toMatchObject({ index: 1, votes: 2 });
    expect(rerank([patch('a'), patch('b'), patch('b'), patch('a')])).toMatchObject({ index: 0, votes: 2 });
    expect(rerank([patch('b', 3), patch('a'), patch('b')])).toMatchObject({ index: 1, eligible: [1, 2] });
  });

  it('lets go of the reproduction test before it lets go of the regressions', () => {
    expect(rerank([patch('a', 1, true), patch('b', 0, false)])).toMatchObject({ index: 1, filter: 'regressions' });
  });

  it('counts a patch that was not run as the worst, so that it cannot set the least', () => {
    expect(rerank([patch('', null, false), patch('a', 2), patch('b', 1)])).toMatchObject({ index: 2, filter: 'both' });
    expect(rerank([patch('', null), patch('a', null, false)])).toMatchObject({ index: 1 });
  });

  it('takes the least over empty patches too, and all patches where it leaves none', () => {
    expect(rerank([patch('', 0), patch('a', 2), patch('b', 1)])).toEqual({
      index: 1,
      eligible: [1, 2],
      votes: 1,
      filter: 'none',
    });
    expect(rerank([patch(''), patch('')])).toMatchObject({ index: null, eligible: [] });
    expect(mostVoted({ keys: [] })).toBeNull();
  });
});
