import { describe, expect, it } from 'vitest';
import type { Cell, Matrix, MatrixRow, RowKind } from '../../src/core/matrix.js';
import type { OutcomeStatus } from '../../src/core/outcome.js';
import { defaultJudgement } from '../../src/core/row.js';
import { evidenceRows, progressed, scoreMatrix } from '../../src/core/score.js';
import { presetSettings } from '../../src/core/settings.js';
import type { RowClass } from '../../src/core/suite.js';

const cell = (status: OutcomeStatus): Cell => ({ status, phase: 'call', message: '', reruns: [] });

const STATUS = { '.': 'passed', F: 'failed', '-': 'missing', I: 'infra' } as const;

/** A row from a picture: `.F` means that c1 passes and c2 fails, `-` is missing, `I` is infra. */
function row(picture: string, rowClass: RowClass | null, kind: RowKind = 'differential'): MatrixRow {
  const cells = Object.fromEntries(
    [...picture].map((sign, index) => [`c${index + 1}`, cell(STATUS[sign as keyof typeof STATUS])]),
  );
  const judgement = rowClass === null ? null : { class: rowClass, quote: '', reason: '' };
  return {
    testId: `t.py::${picture}-${rowClass}`,
    origin: 'created',
    step: 1,
    kind,
    cells,
    base: cell('failed'),
    judgement,
  };
}

function score({
  rows,
  previousLeaders,
  preset = 'balanced',
}: {
  rows: readonly MatrixRow[];
  previousLeaders?: readonly string[];
  preset?: 'balanced' | 'paper';
}) {
  const candidates = Object.keys(rows[0]?.cells ?? {});
  const matrix: Matrix = { schema: 'testgrad.matrix/1', step: 1, candidates, rows };
  const settings = presetSettings({ preset, model: 'm' });
  return scoreMatrix({ matrix, settings, previousLeaders: previousLeaders ?? candidates });
}

describe('scoreMatrix', () => {
  it('has loss 0 from one differential row on, and from nothing else', () => {
    const others = (['uniform', 'unconfirmed', 'flaky', 'weak'] as const).map((kind) => row('.F', null, kind));
    expect(score({ rows: others }).loss).toBe(1);
    expect(score({ rows: [...others, row('.F', 'stale')] }).loss).toBe(0);
  });

  it('puts those in the lead who fail no evidence row; stale and incidental rows do not count', () => {
    const rows = [row('...F', 'issue'), row('..F.', 'regression'), row('F...', 'stale'), row('.F..', 'incidental')];
    expect(score({ rows })).toMatchObject({ leaders: ['c1', 'c2'], leaderLoss: 1, counts: { evidence: 2 } });
    const decided = score({ rows: [...rows, row('F...', 'convention')] });
    expect(decided).toMatchObject({ leaders: ['c2'], leaderLoss: 0 });
  });

  it('does not hold against a candidate that a test is missing or that our side broke', () => {
    expect(score({ rows: [row('.F-I', 'issue')] }).leaders).toEqual(['c1', 'c3', 'c4']);
  });

  it('prefers the word of the issue where evidence contradicts itself, then the fewest failures', () => {
    const rows = [row('F..', 'issue'), row('.FF', 'regression'), row('..F', 'convention')];
    expect(score({ rows }).leaders).toEqual(['c2']);
    const split = [row('F.', 'issue'), row('.F', 'issue')];
    expect(score({ rows: split })).toMatchObject({ leaders: ['c1', 'c2'], leaderLoss: 1 });
  });

  it('takes a row for evidence only after it was judged, and lists it until then', () => {
    const open = row('.F', null);
    const scored = score({ rows: [open, row('F.', null, 'weak')] });
    expect(scored).toMatchObject({ leaders: ['c1', 'c2'], unjudged: [`${open.testId}:1`], counts: { evidence: 0 } });
  });

  it('leaves every candidate in the lead where the paper leaves it to the checker', () => {
    const rows = [row('.F', null), row('F.', 'stale')];
    expect(score({ rows, preset: 'paper' })).toMatchObject({
      loss: 0,
      leaders: ['c1', 'c2'],
      leaderLoss: 1,
      counts: { evidence: 2 },
    });
  });

  it('lets a candidate return only on clean knowledge', () => {
    const previousLeaders = ['c1', 'c2'];
    expect(score({ rows: [row('...', null, 'uniform')], previousLeaders }).leaders).toEqual(['c1', 'c2', 'c3']);
    expect(score({ rows: [row('..F', null, 'weak')], previousLeaders }).leaders).toEqual(['c1', 'c2']);
    expect(score({ rows: [row('..I', null, 'uniform')], previousLeaders }).leaders).toEqual(['c1', 'c2']);
    expect(score({ rows: [row('..F', 'stale')], previousLeaders }).leaders).toEqual(['c1', 'c2', 'c3']);
  });

  it('does not let a candidate return on which a changed test was not run, whatever came of its evidence', () => {
    const previousLeaders = ['c1', 'c2'];
    const changed = row('..-', null, 'uniform');
    expect(score({ rows: [changed], previousLeaders }).leaders).toEqual(['c1', 'c2']);
    expect(score({ rows: [{ ...changed, step: 0 }], previousLeaders }).leaders).toEqual(['c1', 'c2', 'c3']);
    expect(score({ rows: [row('---', null, 'uniform')], previousLeaders }).leaders).toEqual(['c1', 'c2', 'c3']);
  });

  it('does not let a candidate return on which evidence was not run', () => {
    // c1 fell behind on the first row; the others contradict each other later and fail one row each as well.
    const rows = [row('F..', 'issue'), row('-.F', 'issue'), row('-F.', 'issue')];
    expect(score({ rows, previousLeaders: ['c2', 'c3'] }).leaders).toEqual(['c2', 'c3']);
  });

  it('does not drop a candidate from the lead for a weak row', () => {
    expect(score({ rows: [row('..F', null, 'weak')] }).leaders).toEqual(['c1', 'c2', 'c3']);
  });

  it('holds for no candidate and for one', () => {
    expect(score({ rows: [] })).toMatchObject({ loss: 1, leaders: [], leaderLoss: 0 });
    expect(score({ rows: [row('F', null, 'uniform')] })).toMatchObject({ leaders: ['c1'], leaderLoss: 0 });
  });
});

describe('evidenceRows', () => {
  it('are the judged ones, or all differential ones without a judge', () => {
    const rows = [row('.F', 'issue'), row('.F', 'stale'), row('.F', 'issue', 'flaky')];
    const matrix: Matrix = { schema: 'testgrad.matrix/1', step: 1, candidates: ['c1', 'c2'], rows };
    const of = (preset: 'paper' | 'balanced') =>
      evidenceRows({ matrix, settings: presetSettings({ preset, model: 'm' }) }).map((each) => rows.indexOf(each));
    expect(of('balanced')).toEqual([0]);
    expect(of('paper')).toEqual([0, 1]);
  });
});

describe('progressed', () => {
  const of = (loss: 0 | 1, leaders: readonly string[]) => ({ ...score({ rows: [] }), loss, leaders });
  it.each([
    [of(1, ['a', 'b']), of(0, ['a', 'b']), true],
    [of(0, ['a', 'b']), of(0, ['a']), true],
    [of(0, ['a', 'b']), of(0, ['a', 'b']), false],
    [of(0, ['a', 'b']), of(1, ['a', 'b']), false],
    [of(0, ['a']), of(0, ['a', 'b']), false],
  ])('case %#', (before, after, expected) => {
    expect(progressed({ before, after })).toBe(expected);
  });
});

describe('defaultJudgement', () => {
  const collection = {
    ...row('.F', null),
    testId: 't.py::<collection>',
    origin: 'original' as const,
    base: cell('passed'),
  };

  it('knows that who breaks the collection of an unedited file broke old behaviour', () => {
    expect(defaultJudgement(collection)?.class).toBe('regression');
  });

  it('leaves everything else to the judge', () => {
    expect(defaultJudgement({ ...collection, base: cell('error') })).toBeNull();
    expect(defaultJudgement({ ...collection, origin: 'updated' })).toBeNull();
    expect(defaultJudgement({ ...collection, kind: 'unconfirmed' })).toBeNull();
    expect(defaultJudgement({ ...collection, testId: 't.py::test_a' })).toBeNull();
  });
});
