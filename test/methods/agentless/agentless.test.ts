import { describe, expect, it } from 'vitest';
import type { PreparedCandidate } from '../../../src/core/candidate.js';
import type { CandidateOutcomes } from '../../../src/core/outcome.js';
import { patchKey, scriptKeys } from '../../../src/methods/agentless/keys.js';
import { passedTests, regressionsIn } from '../../../src/methods/agentless/outcomes.js';
import { pruneTests } from '../../../src/methods/agentless/prune.js';
import { verdictOf, writeReproduction } from '../../../src/methods/agentless/reproduction.js';
import { REPRODUCTION_SAMPLES, selectByAgentless } from '../../../src/methods/agentless/select.js';
import { excluded, ran, type Said, scriptedModel, shelf, usable, withoutPython } from '../scripted.js';

const ISSUE = 'Replacing a value evicts too much.';
const block = (script: string) => `\`\`\`python\n${script}\n\`\`\``;

const BASE = ran({ a: 'passed', b: 'passed' });

/** A whole run of Agentless on these answers; `say` is what a script prints on a candidate, or on the base for null. */
async function select({
  candidates = [usable(0), usable(1), usable(2)],
  base = BASE,
  runs = [],
  pruning = '',
  samples,
  say = () => '',
  sources = ['1', '2', '3', '4'],
}: {
  candidates?: readonly PreparedCandidate[];
  base?: CandidateOutcomes;
  runs?: readonly CandidateOutcomes[];
  pruning?: string;
  samples: readonly Said[];
  say?: (input: { script: string; index: number | null }) => string;
  sources?: readonly string[];
}) {
  const pruner = scriptedModel([pruning]);
  const writer = scriptedModel(samples);
  const documents = shelf();
  const executed: string[] = [];
  const result = await selectByAgentless({
    input: { instance: 'demo', candidates },
    ports: {
      passingTests: async () => {
        const tests = passedTests(base);
        return { tests: documents.put(tests), count: tests.length };
      },
      pruneTests: async ({ tests }) => {
        const countTokens = (text: string) => text.length;
        const pruned = await pruneTests({ issue: ISSUE, tests: documents.get(tests), ask: pruner.ask, countTokens });
        const { remaining, usage, asked } = pruned;
        return { tests: documents.put(remaining), count: remaining.length, usage, conversation: documents.put(asked) };
      },
      countRegressions: async ({ index, tests }) => {
        executed.push(`tests on ${index}`);
        const failed = regressionsIn({ run: runs[index] ?? base, tests: documents.get(tests) });
        return { failed: failed.length, named: failed.slice(0, 1) };
      },
      writeReproduction: async (sampling) => {
        const { script, answer } = await writeReproduction({ issue: ISSUE, ...sampling, ask: writer.ask });
        return {
          script: script === null ? null : documents.put(script),
          usage: answer.usage,
          conversation: documents.put(answer),
        };
      },
      runReproduction: async ({ script, index }) => {
        executed.push(`script on ${index ?? 'base'}`);
        return verdictOf(say({ script: documents.get(script), index }));
      },
      scriptKeys: async ({ scripts }) =>
        (await scriptKeys({ scripts: scripts.map((each) => documents.get<string>(each)), run: withoutPython })).keys,
      patchKey: ({ index }) =>
        patchKey({ files: [{ path: 'a.py', old: 'x = 0\n', new: `x = ${sources[index]}\n` }], run: withoutPython }),
    },
  });
  return { result, pruned: pruner.asked, sampled: writer.asked, executed };
}

const same = (script: string, count: number) => Array.from({ length: count }, () => block(script));
const without = (count: number) => Array.from({ length: count }, () => 'I cannot.');

describe('Agentless', () => {
  it('makes 41 calls: one prunes, 40 write reproduction tests, the first of them at temperature 0', async () => {
    const { result, pruned, sampled } = await select({ samples: without(40) });
    expect(result.usage.calls).toBe(1 + REPRODUCTION_SAMPLES);
    expect([pruned.length, sampled.length]).toEqual([1, 40]);
    expect(sampled.map(({ temperature }) => temperature)).toEqual([0, ...Array.from({ length: 39 }, () => 0.8)]);
    expect(new Set(sampled.map(({ sample }) => sample)).size).toBe(40);
    expect(result.conversations).toHaveLength(41);
  });

  it('takes the first with the fewest regressions that resolves the test which reproduces the issue', async () => {
    const { result, executed } = await select({
      samples: [block('print("wrong")\nf()'), ...same('check()', 39)],
      runs: [ran({ a: 'failed', b: 'passed' }), BASE, BASE],
      say: ({ script, index }) => {
        if (script !== 'check()') return 'Other issues';
        return index === null || index === 1 ? 'Issue reproduced' : 'Issue resolved';
      },
    });
    expect(result).toMatchObject({ method: 'agentless', index: 2, fallback: null });
    expect(result.reason).toContain('Of 1 candidates with the fewest regressions that resolve');
    expect(result.evidence).toContainEqual({ index: 0, fact: 'fails 1 of 2 regression tests: tests/t.py::a' });
    expect(result.evidence).toContainEqual({ index: 1, fact: 'the reproduction test says: reproduced' });
    // Equal scripts are run on the base once, and only the chosen one on the candidates.
    expect(executed.filter((each) => each === 'script on base')).toHaveLength(2);
    expect(executed.filter((each) => /script on \d/.test(each))).toHaveLength(3);
  });

  it('has the verified tests vote: the most frequent wins, the earliest in a tie, the unverified not at all', async () => {
    const say = ({ script, index }: { script: string; index: number | null }) => {
      if (index === null) return script.startsWith('loud') ? 'Issue reproduced, Other issues' : 'Issue reproduced';
      return index === (script.startsWith('rare') ? 1 : 2) ? 'Issue resolved' : 'Issue reproduced';
    };
    const frequent = await select({
      samples: [...same('loud()', 30), ...same('rare = 1\nf()', 4), ...same('often = 1\nf()', 6)],
      say,
    });
    expect(frequent.result.index).toBe(2);
    const tied = await select({
      samples: [...same('loud()', 30), ...same('rare = 1\nf()', 5), ...same('often = 1\nf()', 5)],
      say,
    });
    expect(tied.result.index).toBe(1);
  });

  it('does not run the tests that the model takes away by their names', async () => {
    const { result } = await select({
      pruning: 'tests/t.py::a',
      samples: without(40),
      runs: [ran({ a: 'failed', b: 'passed' }), ran({ a: 'passed', b: 'failed' }), BASE],
    });
    expect(result.index).toBe(0);
    expect(result.reason).toContain('no reproduction test was found');
    expect(result.evidence).toContainEqual({ index: 1, fact: 'fails 1 of 1 regression tests: tests/t.py::b' });
  });

  it('follows the vote of equal patches among those left', async () => {
    const { result } = await select({ samples: without(40), sources: ['1', '2', ' 2  ', '4'] });
    expect(result.index).toBe(1);
    expect(result.reason).toContain('2 of them make the same change');
  });

  it('runs candidates with the same tree once', async () => {
    const { executed, result } = await select({
      candidates: [usable(0), usable(1, 0), usable(2)],
      samples: same('check()', 40),
      say: ({ index }) => (index === null ? 'Issue reproduced' : 'Issue resolved'),
    });
    expect(executed.filter((each) => each.startsWith('tests on'))).toEqual(['tests on 0', 'tests on 2']);
    expect(result.evidence.filter(({ index }) => index === 1)).toHaveLength(
      result.evidence.filter(({ index }) => index === 0).length,
    );
  });

  it('leaves an empty patch out of the vote and out of the least', async () => {
    const { result } = await select({
      candidates: [excluded(0), usable(1), usable(2)],
      runs: [BASE, ran({ a: 'failed', b: 'failed' }), ran({ a: 'failed', b: 'passed' })],
      samples: without(40),
    });
    expect(result).toMatchObject({ index: 2, fallback: null });
  });

  it('goes on where no test passes on the base: then there is no call to prune', async () => {
    const { result, pruned } = await select({ base: ran({ a: 'failed' }), samples: without(40) });
    expect(pruned).toEqual([]);
    expect(result.usage.calls).toBe(40);
    expect(result).toMatchObject({ index: 0, fallback: null });
  });

  it('says so when all patches come to nothing, and still gives one out', async () => {
    const { result } = await select({ samples: without(40), sources: ['0', '0', '0'] });
    expect(result.index).toBe(0);
    expect(result.fallback).toContain('comments and formatting');
  });

  it('asks and runs nothing for a single candidate', async () => {
    const { result, pruned, sampled, executed } = await select({ candidates: [excluded(0), usable(1)], samples: [] });
    expect(result).toMatchObject({ index: 1, usage: { calls: 0 } });
    expect([...pruned, ...sampled, ...executed]).toEqual([]);
  });
});
