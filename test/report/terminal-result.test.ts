import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import type { Matrix } from '../../src/core/matrix.js';
import { renderMarkdown } from '../../src/report/markdown-report.js';
import { buildReport } from '../../src/report/report-model.js';
import { renderResult } from '../../src/report/terminal-result.js';
import { CANDIDATES, decision, ISSUE_SENTENCE, MATRIX, row, SUITE, step, usable } from './fixture.js';

const places = { runDir: '/state/runs/7f3k0a1b2c3d', uiUrl: 'http://127.0.0.1:8233/namespaces/default/workflows/x' };

function render({
  of = decision(),
  matrix = MATRIX,
  columns = 80,
  colour = false,
}: {
  of?: Decision;
  matrix?: Matrix | null;
  columns?: number;
  colour?: boolean;
}): string {
  return renderResult({ model: buildReport({ decision: of, matrix, suite: SUITE }), columns, colour, places });
}

const plain = (text: string): string[] =>
  text.split('\n').filter((line) => !line.includes('/state/') && !line.includes('http://'));

for (const columns of [80, 120]) {
  for (const colour of [false, true]) {
    const name = `result-${columns}${colour ? '-colour' : ''}`;
    test(`a differential decision at ${columns} columns${colour ? ' with colour' : ''}`, async () => {
      await expect(render({ columns, colour })).toMatchFileSnapshot(`golden/${name}.txt`);
    });
  }
  test(`no line is wider than ${columns} columns, also with colour`, () => {
    for (const line of plain(render({ columns, colour: true }))) {
      expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
    }
  });
}

test('an id that does not fit stands whole on a line of its own, also in a reason and in notes', () => {
  const testId = `tests/test_currency_formatting.py::TestCurrency::test_${'symbol_position_'.repeat(5)}item[de-1.234,50 EUR]`;
  const deciding = { testId, origin: 'created', step: 2, class: 'issue', quote: '' } as const;
  const name = testId.split(' ')[0] ?? '';
  const reason = `Only codex passes ${name} and the rest fails.`;
  const warnings = [`${name} was not stable.`];
  const lines = render({ of: decision({ decidingTests: [deciding], reason, warnings }) }).split('\n');
  expect(lines).toContain(`      ${testId}`);
  expect(lines).toContain('      [created, step 2, issue]');
  expect(lines.filter((line) => line.includes(name)).length).toBeGreaterThanOrEqual(2);
  expect(lines.filter((line) => line.includes('symbol_position') && !line.includes(name))).toEqual([]);
});

test('colour adds nothing but colour', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are escape sequences.
  const uncoloured = render({ colour: true }).replace(/\u001b\[\d+m/g, '');
  expect(uncoloured.replace(/ +$/gm, '')).toBe(render({ colour: false }).replace(/ +$/gm, ''));
});

const ENDINGS: Readonly<Record<string, Partial<Decision>>> = {
  fallback: { kind: 'fallback', decidingTests: [], chosenBy: 'rule', reason: 'Largest class of identical patches.' },
  equivalent: { kind: 'equivalent', decidingTests: [], ended: 'equal', reason: 'Both make the same change.' },
  'none-acceptable': { kind: 'none-acceptable', selected: null, selectedId: null, reason: 'All miss the second rule.' },
  single: {
    kind: 'single',
    decidingTests: [],
    chosenBy: 'rule',
    ended: 'not-needed',
    steps: [],
    reason: 'Only one candidate is usable.',
    candidates: CANDIDATES.filter((candidate) => candidate.id === 'c2' || candidate.kind === 'excluded'),
  },
  'no-candidate': {
    kind: 'no-candidate',
    selected: null,
    selectedId: null,
    decidingTests: [],
    ended: 'not-needed',
    steps: [],
    usage: [],
    chosenBy: 'rule',
    reason: 'No candidate is usable.',
    candidates: CANDIDATES.filter((candidate) => candidate.kind === 'excluded'),
  },
};

for (const [kind, changes] of Object.entries(ENDINGS)) {
  test(`the ending ${kind}`, async () => {
    const matrix = changes.ended === 'not-needed' ? null : MATRIX;
    await expect(render({ of: decision(changes), matrix })).toMatchFileSnapshot(`golden/ending-${kind}.txt`);
  });
}

test('many candidates with long names get a key below the matrix', () => {
  const candidates = Array.from({ length: 9 }, (_, index) =>
    usable({ id: `c${index + 1}`, agent: `a-rather-long-agent-name-${index + 1}` }),
  );
  const matrix: Matrix = {
    ...MATRIX,
    candidates: candidates.map((candidate) => candidate.id),
    rows: [
      row({ testId: 'tests/test_a.py::test_a', statuses: candidates.map((_, i) => (i === 1 ? 'passed' : 'failed')) }),
    ],
  };
  const text = render({ of: decision({ candidates, leaders: ['c2'] }), matrix });
  expect(text).toContain('>> c2');
  expect(text).toContain('c9 = a-rather-long-agent-name-9');
  for (const line of plain(text)) expect(stringWidth(line), line).toBeLessThanOrEqual(80);
});

test('names that would be cut to the same text are shown whole where they fit, else as a key', () => {
  const agents = ['swe-agent-large-v1', 'swe-agent-large-v2'];
  const candidates = agents.map((agent, index) => usable({ id: `c${index + 1}`, agent }));
  const rows = [row({ testId: 'tests/test_a.py::test_a', statuses: ['failed', 'passed'] })];
  const matrix: Matrix = { ...MATRIX, candidates: ['c1', 'c2'], rows };
  const of = decision({ candidates, leaders: ['c2'] });
  const heads = (columns: number) =>
    render({ of, matrix, columns })
      .split('\n')
      .filter((line) => line.includes('base') && line.includes('>>'));
  expect(
    heads(80)[0]
      ?.trim()
      .split(/\s{2,}/),
  ).toEqual(['swe-agent-large-v1', '>> swe-agent-large-v2', 'base']);
  expect(
    heads(60)[0]
      ?.trim()
      .split(/\s{2,}/),
  ).toEqual(['c1', '>> c2', 'base']);
});

/** A run whose deciding tests are one test in seven classes, one with three parameters, one with many, and others. */
function inherited(): { of: Decision; matrix: Matrix } {
  const classes = Array.from({ length: 7 }, (_, index) => `tests/test_cache.py::Test${'ABCDEFG'[index]}::test_evict`);
  const listed = ['[LRI]', '[LRU]', '[TTL]'].map((kind) => `tests/test_cache.py::TestAll::test_len${kind}`);
  const many = Array.from({ length: 12 }, (_, index) => `tests/test_cache.py::test_get[key-${index}]`);
  const others = ['tests/test_other.py::test_evict', 'tests/test_other.py::TestA::test_evict'];
  const ids = [...classes, ...listed, ...many, ...others];
  const rowOf = (testId: string) => {
    const first = testId.includes('TestG') ? 'error' : 'failed';
    const common = { testId, base: 'failed', origin: 'created', step: 2, judged: 'issue' } as const;
    return row({ ...common, statuses: [first, 'passed', 'failed', 'passed'] });
  };
  const decidingTests = ids.map((testId) => ({
    ...{ testId, origin: 'created' as const, step: 2, class: 'issue' as const },
    quote: ISSUE_SENTENCE,
  }));
  return { of: decision({ decidingTests }), matrix: { ...MATRIX, rows: ids.map(rowOf) } };
}

for (const columns of [80, 120]) {
  test(`one test under several ids is one line and one row for each outcome, at ${columns} columns`, async () => {
    const text = render({ ...inherited(), columns });
    await expect(text).toMatchFileSnapshot(`golden/result-groups-${columns}.txt`);
    for (const line of plain(text)) expect(stringWidth(line), line).toBeLessThanOrEqual(columns);
  });
}

test('one test under several ids is one line of Markdown and one row for each outcome', async () => {
  const { of, matrix } = inherited();
  const text = renderMarkdown(buildReport({ decision: of, matrix, suite: SUITE }));
  await expect(text).toMatchFileSnapshot('golden/report-groups.md');
});

test('rows that are left out are counted with all that they stand for', () => {
  const ids = Array.from({ length: 20 }, (_, index) => `t.py::test_${Math.floor(index / 2)}[${index % 2}]`);
  const rows = ids.map((testId) => row({ testId, statuses: ['passed', 'failed', 'passed', 'passed'] }));
  const text = render({ of: decision({ decidingTests: [] }), matrix: { ...MATRIX, rows }, columns: 120 });
  expect(text).toContain('test_7[0], [1]');
  expect(text).not.toContain('test_8');
  expect(text).toContain('4 more rows are in matrix.json.');
});

test('candidates that make the same change share their outcomes', () => {
  const candidates = [...CANDIDATES, usable({ id: 'c6', agent: 'twin', sameAs: 'c2' })];
  const text = render({ of: decision({ candidates }), columns: 120 });
  expect(text).toContain('twin is the same change as codex.');
  const deciding = text.split('\n').find((line) => line.includes('::test_onetoone_parent') && line.includes(' x '));
  expect(
    deciding
      ?.trim()
      .split(/\s{2,}/)
      .slice(-6),
  ).toEqual(['x', 'ok', 'x', 'ok', 'ok', 'x']);
});

test('text of models, tests and issues cannot touch the terminal', () => {
  const evil = '\u001b[2J\u001b]0;owned\u0007\u009b31mred\u202egnp.exe\u200b\r\nnext';
  const text = render({
    of: decision({
      reason: evil,
      instance: evil,
      warnings: [evil],
      decidingTests: [{ testId: `t.py::${evil}`, origin: 'created', step: 1, class: 'issue', quote: evil }],
      candidates: [
        usable({ id: 'c1', agent: evil }),
        { kind: 'excluded', id: 'c2', agent: evil, reason: 'malformed', detail: evil },
      ],
      steps: [step({ step: 0 }), step({ step: 1, operations: [evil] })],
    }),
    matrix: { ...MATRIX, rows: [row({ testId: `t.py::${evil}`, statuses: ['failed'] })] },
  });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left.
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/);
  expect(text).toContain('redgnp.exe next');
});

test('lists that were cut on their way are counted in full', () => {
  const counts = { changedFiles: 70, setAside: 40 };
  const [, ...others] = CANDIDATES;
  const candidates = [{ ...usable({ id: 'c1', agent: 'claude', setAside: ['tests/test_a.py'] }), counts }, ...others];
  const text = render({
    of: decision({ candidates, selectedId: 'c1' }),
    columns: 120,
  });
  expect(text).toContain('70 files');
  expect(text).toContain('put back before the tests ran (2 and more)');
});
