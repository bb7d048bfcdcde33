import { describe, expect, it } from 'vitest';
import type { RowClass } from '../../../src/core/suite.js';
import { type CheckedRow, type CheckerSubject, checkerMessages } from '../../../src/methods/testgrad/checker.js';
import { checkerTool, parseDecision } from '../../../src/methods/testgrad/checker-answer.js';
import { AGENTS, ISSUE } from './subjects.js';

const QUOTE = 'needs room only for the difference between the new size and the old one';

const subject = (more: Partial<CheckerSubject> = {}): CheckerSubject => ({
  situation: 'differential',
  issue: ISSUE,
  candidates: [
    { label: 'C', patch: '--- a/x.py\n+++ b/x.py\n+fix_c' },
    { label: 'A', patch: '--- a/x.py\n+++ b/x.py\n+fix_a' },
    { label: 'B', patch: '--- a/x.py\n+++ b/x.py\n+fix_b' },
  ],
  rows: [
    {
      testId: 'tests/test_lru.py::test_calls[a b]',
      alike: ['tests/test_lru.py::test_calls[c]'],
      origin: 'created',
      passedBy: ['A', 'C'],
      source: 'def test_calls(): ...',
      outcomes: 'passed A, C; failed B; base failed',
      excerpts: [{ labels: ['B'], message: 'E   assert 2 == 1' }],
      judgement: { class: 'issue', quote: 'and not once more', reason: 'Counted.' },
    },
  ],
  judged: true,
  allowed: ['A', 'C'],
  ...more,
});

const parse = (given: object, more: Partial<CheckerSubject> = {}) =>
  parseDecision({ argumentsText: JSON.stringify({ reason: 'Because.', ...given }), subject: subject(more) });
const deciding = [{ testId: 'tests/test_lru.py::test_calls[a b]', quote: QUOTE }];

describe('the checker’s prompt', () => {
  const [system, user] = checkerMessages(subject()).map(({ content }) => content);

  it('shows issue, diffs in the given order, tests with outcomes, excerpts and classes', () => {
    expect(user?.match(/^## .*$/gm)).toEqual(['## Issue', '## Candidates', '## Differential tests', '## Now']);
    expect(user?.match(/^### [A-C]$/gm)).toEqual(['### C', '### A', '### B']);
    expect(user).toContain(
      '### tests/test_lru.py::test_calls[a b] (created; 1 more of its parameters or classes end alike)\nOutcomes: passed A, C; failed B; base failed',
    );
    expect(user).toContain('Judged issue, by "and not once more": Counted.');
    expect(user).toContain('Failure on B:\n<failure>\nE   assert 2 == 1\n</failure>');
    expect(user).toContain('You may choose A, C, or null');
    for (const agent of AGENTS) expect(`${system}${user}`).not.toContain(agent);
  });

  it('fits its situation', () => {
    const systemFor = (situation: CheckerSubject['situation']) => checkerMessages(subject({ situation }))[0]?.content;
    expect(systemFor('differential')).toContain('They are the evidence.');
    expect(systemFor('equivalent')).toContain('No test was found that separates');
    expect(systemFor('fallback')).toContain('used up without a test that decides');
    const fallback = checkerMessages(
      subject({ situation: 'fallback', rows: [], matrixView: 'No differential row.' }),
    )[1];
    expect(fallback?.content).toContain('There is none.');
    expect(fallback?.content).toContain('<results>\nNo differential row.\n</results>');
  });

  it('is bounded, each candidate getting the same room', () => {
    const patch = `${'+x = 1\n'.repeat(40_000)}`;
    const candidates = ['A', 'B', 'C'].map((label) => ({ label, patch }));
    const long = checkerMessages(subject({ candidates }))[1]?.content ?? '';
    expect(long.length).toBeLessThan(100_000);
    const notes = long.match(/\[… \d+ characters left out\]/g) ?? [];
    expect(notes).toHaveLength(3);
    expect(new Set(notes).size).toBe(1);
  });

  it('has one tool whose reasoning comes first and whose candidate must be said', () => {
    const [tool] = [checkerTool()];
    expect(tool?.parameters).toMatchObject({ required: expect.arrayContaining(['reason', 'candidate']) });
    const schema = JSON.stringify(tool?.parameters);
    expect(schema.indexOf('"reason"')).toBeLessThan(schema.indexOf('"candidate"'));
  });
});

describe('a decision', () => {
  it('names a candidate, deciding tests and their sentences', () => {
    expect(parse({ candidate: 'A', decidingTests: deciding })).toEqual({
      kind: 'decision',
      label: 'A',
      decidingTests: deciding,
      reason: 'Because.',
    });
  });

  it.each(['a', ' C ', '"A"', 'Candidate A', '**C**', 'candidate c.'])('may write its label as %j', (candidate) => {
    expect(parse({ candidate, decidingTests: deciding })).toMatchObject({ label: expect.stringMatching(/^[AC]$/) });
  });

  it.each([null, 'none', 'null', ''])('may accept none: %j', (candidate) => {
    expect(parse({ candidate, decidingTests: [] })).toMatchObject({ kind: 'decision', label: null });
  });

  it('does not accept none by forgetting to say anything', () => {
    expect(parse({ decidingTests: deciding })).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('candidate'),
    });
    expect(parse({ decidingTests: null })).toMatchObject({ kind: 'invalid' });
  });

  it.each([
    [
      'a candidate that is not in the lead',
      { candidate: 'B', decidingTests: deciding },
      /"B" cannot be chosen\. Choose A, C, or null/,
    ],
    ['an unknown label', { candidate: 'Z', decidingTests: deciding }, /"Z" cannot be chosen/],
    [
      'a test that was not shown',
      { candidate: 'A', decidingTests: [{ testId: 'tests/x.py::test_y', quote: '' }] },
      /tests\/x\.py::test_y/,
    ],
    ['no deciding test', { candidate: 'A', decidingTests: [] }, /at least one/],
    ['no reason', { candidate: 'A', decidingTests: deciding, reason: '' }, /reason/],
  ])('with %s is invalid', (_what, given, reason) => {
    expect(parse(given)).toMatchObject({ kind: 'invalid', reason: expect.stringMatching(reason) });
  });

  it('needs no deciding test where none separates', () => {
    expect(parse({ candidate: 'B' }, { situation: 'fallback', allowed: ['A', 'B', 'C'], rows: [] })).toMatchObject({
      kind: 'decision',
      label: 'B',
      decidingTests: [],
    });
  });

  it('shows no sentence as the issue’s that the issue does not hold', () => {
    const invented = [{ testId: 'tests/test_lru.py::test_calls[a b]', quote: 'The cache must be fast.' }];
    expect(parse({ candidate: 'A', decidingTests: invented })).toMatchObject({ decidingTests: [{ quote: '' }] });
  });

  it('may name one of the parameters that are not shown', () => {
    const decidingTests = [{ testId: ' tests/test_lru.py::test_calls[c]', quote: '' }];
    expect(parse({ candidate: 'A', decidingTests })).toMatchObject({
      decidingTests: [{ testId: 'tests/test_lru.py::test_calls[c]' }],
    });
  });

  const row = (name: string, passedBy: readonly string[], rowClass: RowClass | null): CheckedRow => ({
    testId: `t.py::${name}`,
    alike: [],
    origin: 'created',
    source: '',
    passedBy,
    outcomes: '',
    excerpts: [],
    judgement: rowClass === null ? null : { class: rowClass, quote: '', reason: '' },
  });
  const rows = [
    row('fair', ['A', 'C'], 'issue'),
    row('against', ['C'], 'regression'),
    row('stale', ['A'], 'stale'),
    row('style', ['A'], 'incidental'),
    row('open', ['A'], null),
  ];
  const named = (candidate: string | null, names: readonly string[], more: Partial<CheckerSubject> = {}) =>
    parse(
      { candidate, decidingTests: names.map((name) => ({ testId: `t.py::${name}`, quote: '' })) },
      { rows, allowed: ['A', 'B', 'C'], ...more },
    );

  it.each([
    ['stale', /t\.py::stale was judged stale: no evidence\. Evidence that passes on A: t\.py::fair\./],
    ['style', /judged incidental/],
    ['open', /was not judged/],
    ['against', /t\.py::against does not pass on A/],
  ])('for a candidate is not decided by a test that proves nothing for it: %s', (name, reason) => {
    expect(named('A', ['fair', name])).toMatchObject({ kind: 'invalid', reason: expect.stringMatching(reason) });
  });

  it('is decided by evidence that passes on the candidate', () => {
    expect(named('A', ['fair']).kind).toBe('decision');
    expect(named('C', ['fair', 'against']).kind).toBe('decision');
    expect(named('A', [])).toMatchObject({ kind: 'invalid', reason: expect.stringContaining('at least one') });
  });

  it('needs no deciding test where none can be named', () => {
    expect(named('B', [])).toMatchObject({ kind: 'decision', decidingTests: [] });
    expect(named('B', ['fair'])).toMatchObject({ kind: 'invalid', reason: expect.stringContaining('name none') });
  });

  it('may rest on any test where nothing was judged, or where every candidate is refused', () => {
    expect(named('A', ['stale', 'against'], { judged: false }).kind).toBe('decision');
    expect(named(null, ['against', 'open']).kind).toBe('decision');
  });
});
