import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildMatrix } from '../../src/core/build-matrix.js';
import { type CandidateOutcomes, isFailing, type OutcomeStatus } from '../../src/core/outcome.js';
import { evidenceRows, scoreMatrix } from '../../src/core/score.js';
import { presetSettings } from '../../src/core/settings.js';
import type { RowClass } from '../../src/core/suite.js';
import { type FileEnd, run, suiteWith } from './outcomes.js';

const STATUSES: readonly OutcomeStatus[] = [
  'passed',
  'failed',
  'error',
  'skipped',
  'xfailed',
  'missing',
  'timeout',
  'infra',
];
const FILES = ['t.py', 'u.py'];
const NAMES = ['a', 'b', 'c'];
const KEYS = FILES.flatMap((file) =>
  [...NAMES, '<collection>'].flatMap((name) => [0, 1].map((step) => `${file}::${name}:${step}`)),
);

const end = fc.tuple(fc.constantFrom(...STATUSES), fc.constantFrom('collect', 'setup', 'call', 'teardown'));
const ended = fc.dictionary(fc.constantFrom(...NAMES), end, { noNullPrototype: true, maxKeys: 3 });
const fileEnd = fc.oneof(
  { weight: 4, arbitrary: ended },
  fc.record({ state: fc.constantFrom('not-collected', 'empty', 'timeout', 'crashed', 'infra'), tests: ended }),
) as fc.Arbitrary<FileEnd>;
const oneRun = fc.dictionary(fc.constantFrom(...FILES), fileEnd, { noNullPrototype: true, maxKeys: 2 }).map(run);
const runs = fc.array(oneRun, { minLength: 1, maxLength: 3 });
const columns = fc.array(runs, { minLength: 1, maxLength: 4 });
const judgements = fc.dictionary(
  fc.constantFrom(...KEYS),
  fc
    .constantFrom<RowClass>('issue', 'regression', 'convention', 'stale', 'incidental')
    .map((rowClass) => ({ class: rowClass, quote: '', reason: '' })),
  { noNullPrototype: true },
);
const suite = suiteWith([{ op: 'create', file: 't.py', name: 'a', step: 1 }]);
const settings = presetSettings({ preset: 'balanced', model: 'm' });

const build = ({
  all,
  order,
  base,
  judged = {},
}: {
  all: readonly (readonly CandidateOutcomes[])[];
  order?: readonly string[];
  base: readonly CandidateOutcomes[];
  judged?: Parameters<typeof buildMatrix>[0]['judgements'];
}) => {
  const ids = all.map((_, index) => `c${index + 1}`);
  const byId = Object.fromEntries(ids.map((id, index) => [id, all[index] ?? []]));
  return buildMatrix({ suite, candidates: order ?? ids, columns: byId, base, judgements: judged, reruns: 1 });
};

describe('matrix and score', () => {
  it('do not depend on the order of the candidates', () => {
    fc.assert(
      fc.property(columns, runs, judgements, fc.nat(), (all, base, judged, seed) => {
        const ids = all.map((_, index) => `c${index + 1}`);
        const turned = [...ids.slice(seed % ids.length), ...ids.slice(0, seed % ids.length)].reverse();
        const previousLeaders = ids.filter((_, index) => ((seed >> index) & 1) === 0);
        const scored = [ids, turned].map((order) => {
          const matrix = build({ all, order, base, judged });
          const { leaders, ...rest } = scoreMatrix({ matrix, settings, previousLeaders });
          return { rest, leaders: [...leaders].sort() };
        });
        expect(scored[1]).toEqual(scored[0]);
      }),
    );
  });

  it('give a row the same kind whatever the base does', () => {
    fc.assert(
      fc.property(columns, runs, runs, (all, one, other) => {
        const kinds = [one, other].map(
          (base) => new Map(build({ all, base }).rows.map((row) => [row.testId, row.kind])),
        );
        for (const [testId, kind] of kinds[0] ?? []) expect(kinds[1]?.get(testId) ?? 'uniform').toBe(kind);
      }),
    );
  });

  it('never separate candidates that behave the same', () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 2, max: 4 }), judgements, (same, count, judged) => {
        const matrix = build({ all: Array.from({ length: count }, () => same), base: [], judged });
        const score = scoreMatrix({ matrix, settings, previousLeaders: matrix.candidates });
        expect(score.loss).toBe(1);
        expect(score.leaders).toEqual(matrix.candidates);
      }),
    );
  });

  it('keep in the lead whoever fails no evidence row, and nobody else while there is one', () => {
    fc.assert(
      fc.property(columns, judgements, (all, judged) => {
        const matrix = build({ all, base: [], judged });
        const { leaders } = scoreMatrix({ matrix, settings, previousLeaders: matrix.candidates });
        const evidence = evidenceRows({ matrix, settings });
        const clean = matrix.candidates.filter(
          (id) => !evidence.some((row) => isFailing(row.cells[id]?.status ?? 'missing')),
        );
        if (clean.length > 0) expect(leaders).toEqual(clean);
        else expect(leaders.length).toBeGreaterThan(0);
      }),
    );
  });
});
