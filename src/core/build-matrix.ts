import { bucketOf, cellOf, type IndexedRun, idsOf, indexRun } from './cell.js';
import type { Cell, Matrix, MatrixRow, RowJudgement, RowKind } from './matrix.js';
import { originsOf } from './origin.js';
import { type CandidateOutcomes, isDecisive, isFailing, type StepOutcomes } from './outcome.js';
import { defaultJudgement, fileOf, rowKey } from './row.js';
import type { Suite, TestOrigin } from './suite.js';

/**
 * Puts the outcomes of all columns side by side.
 *
 * `candidates` are the usable ones in the order given; `columns` holds each one's runs, the first execution and then
 * its reruns, which may cover some of the files only. `earlier` are a candidate's runs of earlier steps, the latest first:
 * they confirm rows whose test has not changed since, and stand in for a candidate that was not executed at this step.
 * `base` is the unpatched base's runs. `reruns` is how many agreeing reruns a contrast needs (0: none). `judgements` are the
 * judge's words by {@link rowKey}; where it has none, {@link defaultJudgement} fills in what is certain. Rows are the
 * union over all columns and the base, sorted by test id; `originalTests` are the ids of y_0 (see {@link originsOf}); the base has no say in a row's kind.
 */
export function buildMatrix({
  suite,
  candidates,
  columns,
  earlier = {},
  base,
  judgements,
  reruns,
  originalTests,
}: {
  suite: Pick<Suite, 'step' | 'edits' | 'changed' | 'testFiles'>;
  candidates: readonly string[];
  columns: Readonly<Record<string, readonly CandidateOutcomes[]>>;
  earlier?: Readonly<Record<string, readonly StepOutcomes[]>>;
  base: readonly CandidateOutcomes[];
  judgements: Readonly<Record<string, RowJudgement>>;
  reruns: number;
  originalTests?: ReadonlySet<string>;
}): Matrix {
  const atStep = (runs: readonly CandidateOutcomes[], step: number): IndexedRun[] =>
    runs.map((run) => indexRun({ run, step }));
  const baseRuns = atStep(base, suite.step);
  const current = new Map(candidates.map((id) => [id, atStep(columns[id] ?? [], suite.step)]));
  const runs = new Map(
    candidates.map((id) => {
      const before = (earlier[id] ?? []).flatMap((each) => atStep(each.runs, each.step));
      return [id, [...(current.get(id) ?? []), ...before]];
    }),
  );
  const sourceOf = originsOf({ suite, originalTests });
  // Tests that an update removed are known to earlier runs only, and are no rows.
  const rows = rowIds([baseRuns, ...current.values()]).map((testId): MatrixRow => {
    const { origin, step } = sourceOf(testId);
    const cells = Object.fromEntries([...runs].map(([id, own]) => [id, cellOf({ runs: own, testId, since: step })]));
    const kind = rowKind({ cells: Object.values(cells), origin, reruns });
    const row = { testId, origin, step, kind, cells, base: cellOf({ runs: baseRuns, testId, since: step }) };
    return { ...row, judgement: judgements[rowKey(row)] ?? defaultJudgement(row) };
  });
  return { schema: 'testgrad.matrix/1', step: suite.step, candidates, rows };
}

function rowIds(columns: readonly (readonly IndexedRun[])[]): string[] {
  const ids = new Set(columns.flatMap((runs) => runs.flatMap(idsOf)));
  return [...ids].sort();
}

/**
 * What the executions alone say about a row.
 *
 * In this order: `flaky` when a cell passes in one run and not in another; `uniform` when the first runs show no
 * candidate that passes next to one that fails; `weak` when an update wrote or touched the test and those that do not
 * pass only failed to collect it or set it up; `unconfirmed` while a cell of the contrast has fewer than `reruns`
 * reruns; else `differential`. An `infra` cell, in any run, neither separates nor confirms nor contradicts.
 */
function rowKind({ cells, origin, reruns }: { cells: readonly Cell[]; origin: TestOrigin; reruns: number }): RowKind {
  if (cells.some(isFlaky)) return 'flaky';
  const decisive = cells.filter((cell) => isDecisive(cell.status));
  const failing = decisive.filter((cell) => isFailing(cell.status));
  if (failing.length === 0 || failing.length === decisive.length) return 'uniform';
  if (origin !== 'original' && failing.every(isNotSetUp)) return 'weak';
  return decisive.every((cell) => confirmations(cell) >= reruns) ? 'differential' : 'unconfirmed';
}

function isFlaky(cell: Cell): boolean {
  const seen = [cell.status, ...cell.reruns].map(bucketOf).filter((bucket) => bucket !== 'unknown');
  return new Set(seen).size > 1;
}

const isNotSetUp = (cell: Cell): boolean =>
  cell.status !== 'failed' && (cell.phase === 'collect' || cell.phase === 'setup');

const confirmations = (cell: Cell): number => cell.reruns.filter((status) => status !== 'infra').length;

/**
 * What has to run again before the unconfirmed rows of a matrix count: their files, and the candidates whose cells in
 * them lack reruns. Both are empty when nothing is open; sorted, and in the matrix' order.
 */
export function confirmationOf({ matrix, reruns }: { matrix: Matrix; reruns: number }): {
  files: readonly string[];
  candidates: readonly string[];
} {
  const open = matrix.rows.filter((row) => row.kind === 'unconfirmed');
  const lacksRerun = (cell: Cell | undefined): boolean =>
    cell !== undefined && isDecisive(cell.status) && confirmations(cell) < reruns;
  return {
    files: [...new Set(open.map((row) => fileOf(row.testId)))].sort(),
    candidates: matrix.candidates.filter((id) => open.some((row) => lacksRerun(row.cells[id]))),
  };
}
