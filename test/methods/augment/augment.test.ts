import { describe, expect, it } from 'vitest';
import type { PreparedCandidate } from '../../../src/core/candidate.js';
import { ensemble } from '../../../src/methods/augment/ensemble.js';
import { chosenSolution } from '../../../src/methods/augment/prompt.js';
import { selectByAugment } from '../../../src/methods/augment/select.js';
import { CALL, excluded, scriptedModel, shelf, usable } from '../scripted.js';

const ISSUE = 'Replacing a value evicts too much.';

async function select({
  answers,
  candidates = [usable(0), usable(1), usable(2)],
  shuffleSeed = null,
}: {
  answers: readonly string[];
  candidates?: readonly PreparedCandidate[];
  shuffleSeed?: number | null;
}) {
  const model = scriptedModel(answers);
  const documents = shelf();
  const result = await selectByAugment({
    input: { instance: 'demo', candidates },
    shuffleSeed,
    ports: {
      ensemble: async ({ order }) => {
        const diffs = order.map((index) => (candidates[index]?.kind === 'usable' ? `+patch of ${index}` : ''));
        const { number, answer } = await ensemble({ issue: ISSUE, diffs, ask: model.ask });
        return { number, conversation: documents.put(answer), usage: answer.usage };
      },
    },
  });
  return { result, asked: model.asked };
}

describe('Augment’s ensembler', () => {
  it('asks once, with all diffs in full and numbered from 1, and takes the number that it answers', async () => {
    const { result, asked } = await select({ answers: ['1 and 3 agree. <solution_index>3</solution_index>'] });
    expect(result).toMatchObject({ method: 'augment', index: 2, fallback: null, usage: CALL });
    expect(result.conversations).toHaveLength(1);
    const [request, ...more] = asked;
    expect(more).toEqual([]);
    expect(request).toMatchObject({ tools: [], maxOutputTokens: 16_384, temperature: null });
    expect(request?.messages.map(({ role }) => role)).toEqual(['user']);
    const prompt = request?.messages[0]?.content ?? '';
    expect(prompt).toContain(`<instruction>\n${ISSUE}\n</instruction>`);
    expect(prompt).toContain('I have 3 possible solutions');
    expect(prompt).toContain('<candidate_solution_1>\n+patch of 0\n</candidate_solution_1>');
    expect(prompt).toContain('<candidate_solution_3>\n+patch of 2\n</candidate_solution_3>');
  });

  it('reads digits directly between the tags and nothing else, the first time', () => {
    expect(chosenSolution('<solution_index>2</solution_index> <solution_index>1</solution_index>')).toBe(2);
    expect(chosenSolution('<solution_index> 2 </solution_index>')).toBeNull();
    expect(chosenSolution('<solution_index>Solution 2</solution_index>')).toBeNull();
    expect(chosenSolution('<solution_index>-1</solution_index>')).toBeNull();
    expect(chosenSolution('I refuse.')).toBeNull();
  });

  it.each([
    ['a refusal', 'I cannot choose.', 'holds no number'],
    ['a number from 0', '<solution_index>0</solution_index>', 'solution 0 of 3'],
    ['a number beyond the last', '<solution_index>4</solution_index>', 'solution 4 of 3'],
    ['a number beyond all numbers', `<solution_index>${'9'.repeat(400)}</solution_index>`, 'of 3'],
  ])('takes the first usable candidate on %s, and says so', async (_, answer, why) => {
    const { result, asked } = await select({ answers: [answer] });
    expect(asked).toHaveLength(1);
    expect(result.index).toBe(0);
    expect(result.fallback).toContain(why);
  });

  it('never gives out an empty patch while there is another', async () => {
    const candidates = [excluded(0), usable(1), usable(2)];
    const { result, asked } = await select({ candidates, answers: ['<solution_index>1</solution_index>'] });
    expect(asked[0]?.messages[0]?.content).toContain('<candidate_solution_1>\n\n</candidate_solution_1>');
    expect(result.index).toBe(1);
    expect(result.fallback).toContain('cannot be used');
  });

  it('shows a seeded order when told to, and finds its way back to the order given', async () => {
    const { result, asked } = await select({ answers: ['<solution_index>1</solution_index>'], shuffleSeed: 2 });
    const first = /<candidate_solution_1>\n\+patch of (\d)/.exec(asked[0]?.messages[0]?.content ?? '')?.[1];
    expect(String(result.index)).toBe(first);
    expect(first).not.toBe('0');
  });

  it.each([
    ['one candidate', [usable(0)], 0, null],
    ['one that can be used', [excluded(0), usable(1)], 1, null],
    ['none that can be used', [excluded(0), excluded(1, 'does-not-apply')], 1, 'No candidate is usable'],
    ['empty patches alone', [excluded(0), excluded(1)], null, null],
    ['no candidate', [], null, null],
  ] as const)('asks nothing where there is no choice: %s', async (_, candidates, index, fallback) => {
    const { result } = await select({ answers: [], candidates });
    expect(result.index).toBe(index);
    if (fallback === null) expect(result.fallback).toBeNull();
    else expect(result.fallback).toContain(fallback);
    expect(result.usage.calls).toBe(0);
  });
});
