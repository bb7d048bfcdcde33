import { BASE } from '../core/candidate.js';
import type { Cell, Matrix, MatrixRow } from '../core/matrix.js';
import type { OutcomeStatus } from '../core/outcome.js';
import { EVIDENCE_CLASSES } from '../core/suite.js';
import { groupTests } from './test-groups.js';

/** Why a row is shown. `evidence` counts for the choice; `not-evidence` is differential, yet was judged not to count. */
export type RowRole = 'deciding' | 'evidence' | 'differential' | 'not-evidence' | 'unconfirmed' | 'flaky' | 'weak';

/** What a cell shows: an outcome, or `flaky` when identical runs differ. */
export type CellMark = OutcomeStatus | 'flaky';

/** A column of a shown matrix, the base included. */
export interface ViewColumn {
  readonly id: string;
  /** Agent's name, or `base`. */
  readonly title: string;
  readonly selected: boolean;
  /** Column that holds the outcomes: another candidate's id when its tree is the same, else the own one. */
  readonly source: string;
}

/** A row of a shown matrix: a test, or one test under several ids with equal outcomes. */
export interface ViewRow {
  readonly testId: string;
  /** How many ids it stands for, in words; empty for one. */
  readonly spread: string;
  /** Rows of the matrix that it stands for. */
  readonly count: number;
  readonly role: RowRole;
  /** How the test came to be and what it was judged to be: `created, step 4, issue`. */
  readonly note: string;
  /** By column id. */
  readonly marks: Readonly<Record<string, CellMark>>;
}

/** The rows that tell something, and the others as counts. */
export interface MatrixView {
  readonly columns: readonly ViewColumn[];
  readonly rows: readonly ViewRow[];
  /** Rows of the matrix that say something but are left out for space. */
  readonly hidden: number;
  /** All other rows, by column: how many passed, and how many the candidate was not run on. */
  readonly rest: {
    readonly rows: number;
    readonly passed: Readonly<Record<string, number>>;
    readonly missing: Readonly<Record<string, number>>;
  };
}

/** Roles by what they say, the most first. */
export const ROLE_ORDER: readonly RowRole[] = [
  'deciding',
  'evidence',
  'differential',
  'not-evidence',
  'unconfirmed',
  'flaky',
  'weak',
];

/** Symbols of the cells; each is text, so that nothing depends on colour. */
export const MARK_TEXT: Readonly<Record<CellMark, string>> = {
  passed: 'ok',
  failed: 'x',
  error: 'error',
  timeout: 'timeout',
  skipped: 'skip',
  xfailed: 'xfail',
  missing: '-',
  infra: '?',
  flaky: 'flaky',
};

/** Explains the symbols that are not plain words, for those marks that occur. */
function legend(marks: Iterable<CellMark>): string {
  const shown = new Set(marks);
  const parts = [
    shown.has('failed') ? 'x = fails' : '',
    shown.has('missing') ? '- = not run' : '',
    shown.has('infra') ? '? = unknown, the sandbox broke' : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** What a cell shows. */
export const markOf = (cell: Cell): CellMark =>
  cell.reruns.some((status) => status !== cell.status) ? 'flaky' : cell.status;

/** Why a row is shown; `uniform` for one that tells nothing. */
export function roleOf({ row, deciding }: { row: MatrixRow; deciding: ReadonlySet<string> }): RowRole | 'uniform' {
  if (deciding.has(row.testId)) {
    return 'deciding';
  }
  if (row.kind !== 'differential') {
    return row.kind;
  }
  if (row.judgement === null) {
    return 'differential';
  }
  return EVIDENCE_CLASSES.includes(row.judgement.class) ? 'evidence' : 'not-evidence';
}

function noteOf(row: MatrixRow): string {
  const origin = row.origin === 'original' ? 'original' : `${row.origin}, step ${row.step}`;
  return row.judgement === null ? origin : `${origin}, ${row.judgement.class}`;
}

/**
 * Orders the rows of a matrix by what they say: the deciding tests, other evidence, then differential rows that
 * are no evidence. `maxRows` bounds the rows shown.
 */
export function viewMatrix({
  matrix,
  columns,
  decidingTests,
  maxRows,
}: {
  matrix: Matrix;
  /** Candidates' columns in the order to show; the base is added at the end. */
  columns: readonly ViewColumn[];
  decidingTests: readonly string[];
  maxRows: number;
}): MatrixView {
  const all: readonly ViewColumn[] = [...columns, { id: BASE, title: BASE, selected: false, source: BASE }];
  const deciding = new Set(decidingTests);
  const told: Pick<ViewRow, 'testId' | 'role' | 'note' | 'marks'>[] = [];
  const passed: Record<string, number> = Object.fromEntries(all.map((column) => [column.id, 0]));
  const missing: Record<string, number> = Object.fromEntries(all.map((column) => [column.id, 0]));
  let rest = 0;
  for (const row of matrix.rows) {
    const cellOf = ({ source }: ViewColumn): Cell | undefined => (source === BASE ? row.base : row.cells[source]);
    const role = roleOf({ row, deciding });
    if (role === 'uniform') {
      rest += 1;
      for (const column of all) {
        const status = cellOf(column)?.status ?? 'missing';
        passed[column.id] = (passed[column.id] ?? 0) + (status === 'passed' ? 1 : 0);
        missing[column.id] = (missing[column.id] ?? 0) + (status === 'missing' ? 1 : 0);
      }
      continue;
    }
    const marks = Object.fromEntries(
      all.map((column): [string, CellMark] => {
        const cell = cellOf(column);
        return [column.id, cell === undefined ? 'missing' : markOf(cell)];
      }),
    );
    told.push({ testId: row.testId, role, note: noteOf(row), marks });
  }
  const rows = groupTests({
    items: told,
    idOf: ({ testId }) => testId,
    alike: ({ role, note, marks }) => [role, note, marks],
  }).flatMap(({ testId, spread, items }): ViewRow[] =>
    items.slice(0, 1).map((first) => ({ ...first, testId, spread, count: items.length })),
  );
  rows.sort((left, right) => ROLE_ORDER.indexOf(left.role) - ROLE_ORDER.indexOf(right.role));
  return {
    columns: all,
    rows: rows.slice(0, maxRows),
    hidden: rows.slice(maxRows).reduce((sum, { count }) => sum + count, 0),
    rest: { rows: rest, passed, missing },
  };
}

/** What to say of the rows that are left out; empty for none. */
export const hiddenText = ({ hidden }: MatrixView): string =>
  hidden === 0 ? '' : `${hidden} more ${hidden === 1 ? 'row is' : 'rows are'} in matrix.json.`;

/**
 * `ok` when every other row passes on the column, else `31 ok`; those that it was not run on are told, `31 ok, 3 -`, but
 * in the brief text.
 */
export function restText({
  view,
  columnId,
  isBrief = false,
}: {
  view: MatrixView;
  columnId: string;
  isBrief?: boolean;
}): string {
  const passed = view.rest.passed[columnId] ?? 0;
  const missing = view.rest.missing[columnId] ?? 0;
  if (passed === view.rest.rows) return MARK_TEXT.passed;
  return missing === 0 || isBrief ? `${passed} ok` : `${passed} ok, ${missing} ${MARK_TEXT.missing}`;
}

/** Explains the symbols that a shown matrix has. */
export const legendOf = ({ rows, rest }: MatrixView): string =>
  legend([
    ...rows.flatMap((row) => Object.values(row.marks)),
    ...(Object.values(rest.missing).some((count) => count > 0) ? (['missing'] as const) : []),
  ]);
