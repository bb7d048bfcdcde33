import { BASE, type PreparedCandidate } from '../core/candidate.js';
import type { Matrix, MatrixRow } from '../core/matrix.js';
import { isFailing } from '../core/outcome.js';
import { fileOf } from '../core/row.js';
import { markOf, ROLE_ORDER, type RowRole, roleOf } from './matrix-view.js';
import { isUsable } from './notes.js';
import type { PageCell, PageColumn, PageMatrix, PageRow, UniformRows } from './page-data.js';
import { safeLine, safeText } from './safe-text.js';
import { groupTests } from './test-groups.js';

/** A column and where its outcomes stand: candidates with the same tree share them. */
interface SourcedColumn extends PageColumn {
  readonly source: string;
}

type SortedRow = { readonly row: MatrixRow; readonly role: RowRole; readonly cells: readonly PageCell[] };

/** The usable candidates as columns: the selected one first, then those in the lead, the base last. */
function columnsOf({
  candidates,
  selectedId,
  leaders,
}: {
  candidates: readonly PreparedCandidate[];
  selectedId: string | null;
  leaders: readonly string[];
}): SourcedColumn[] {
  const usable = candidates.filter(isUsable).map((candidate): SourcedColumn => {
    const inLead = leaders.includes(candidate.sameAs);
    return {
      id: candidate.id,
      title: safeLine(candidate.agent),
      role: candidate.id === selectedId ? 'selected' : inLead ? 'leader' : 'other',
      source: candidate.sameAs,
    };
  });
  const order: readonly PageColumn['role'][] = ['selected', 'leader', 'other'];
  const sorted = order.flatMap((role) => usable.filter((column) => column.role === role));
  return [...sorted, { id: BASE, title: BASE, role: 'base', source: BASE }];
}

function cellOf({ row, column }: { row: MatrixRow; column: SourcedColumn }): PageCell {
  const cell = column.source === BASE ? row.base : row.cells[column.source];
  if (cell === undefined) return { mark: 'missing', reruns: 0, message: '' };
  return {
    mark: markOf(cell),
    reruns: cell.reruns.length,
    message: cell.status === 'passed' ? '' : safeText(cell.message),
  };
}

/** The matrix of a page: what separates first, in the order of what it proves; the rest by file. */
export function pageMatrix({
  matrix,
  candidates,
  selectedId,
  leaders,
  decidingTests,
}: {
  matrix: Matrix;
  candidates: readonly PreparedCandidate[];
  selectedId: string | null;
  leaders: readonly string[];
  decidingTests: readonly string[];
}): PageMatrix {
  const columns = columnsOf({ candidates, selectedId, leaders });
  const deciding = new Set(decidingTests);
  const telling: SortedRow[] = [];
  const uniform: { row: MatrixRow; marks: UniformRows['marks'] }[] = [];
  for (const row of matrix.rows) {
    const role = roleOf({ row, deciding });
    const cells = columns.map((column) => cellOf({ row, column }));
    if (role === 'uniform') uniform.push({ row, marks: cells.map(({ mark }) => mark) });
    else telling.push({ row, role, cells });
  }
  return {
    step: matrix.step,
    columns: columns.map(({ id, title, role }) => ({ id, title, role })),
    rows: tellingRows(telling),
    uniform: uniformRows(uniform),
    tests: matrix.rows.length,
  };
}

function tellingRows(telling: readonly SortedRow[]): PageRow[] {
  const groups = groupTests({
    items: telling,
    idOf: ({ row }) => row.testId,
    alike: ({ row, role, cells }) => [role, row.origin, row.step, row.judgement?.class, cells.map(({ mark }) => mark)],
  });
  const rows = groups.flatMap(({ testId, spread, items }): PageRow[] =>
    items.slice(0, 1).map(({ row, role, cells }) => ({
      testId,
      spread,
      ids: items.length === 1 ? [] : items.map((item) => safeLine(item.row.testId)),
      role,
      origin: row.origin,
      step: row.step,
      class: row.judgement?.class ?? null,
      quote: safeLine(row.judgement?.quote ?? ''),
      reason: safeLine(row.judgement?.reason ?? ''),
      cells,
    })),
  );
  // Among equals those come first that tell most candidates apart.
  const parted = ({ cells }: PageRow): number => {
    const failing = cells.slice(0, -1).filter(({ mark }) => mark !== 'flaky' && isFailing(mark)).length;
    return Math.min(failing, cells.length - 1 - failing);
  };
  return rows.sort(
    (left, right) => ROLE_ORDER.indexOf(left.role) - ROLE_ORDER.indexOf(right.role) || parted(right) - parted(left),
  );
}

function uniformRows(
  rows: readonly { readonly row: MatrixRow; readonly marks: UniformRows['marks'] }[],
): UniformRows[] {
  const groups = new Map<string, { file: string; marks: UniformRows['marks']; tests: string[] }>();
  for (const { row, marks } of rows) {
    const file = fileOf(row.testId);
    const key = JSON.stringify([file, marks]);
    const group = groups.get(key) ?? { file: safeLine(file), marks, tests: [] };
    group.tests.push(safeLine(row.testId.slice(file.length + 2)));
    groups.set(key, group);
  }
  // What does not pass everywhere is what a reader looks for.
  const dull = ({ marks }: UniformRows): number => (marks.every((mark) => mark === 'passed') ? 1 : 0);
  return [...groups.values()].sort((left, right) => dull(left) - dull(right));
}

/** Who passes and who fails a test, for a sentence: `passes on a and b, fails on c; not run on d`. */
export function outcomeText({
  cells,
  columns,
}: {
  cells: readonly PageCell[];
  columns: readonly PageColumn[];
}): string {
  const named = (test: (mark: PageCell['mark']) => boolean): string[] =>
    columns.flatMap(({ title, role }, index) => {
      const mark = cells[index]?.mark;
      return role !== 'base' && mark !== undefined && test(mark) ? [title] : [];
    });
  const passes = named((mark) => mark === 'passed');
  const fails = named((mark) => mark !== 'flaky' && isFailing(mark));
  const missing = named((mark) => mark === 'missing');
  const parts = [
    passes.length === 0 ? '' : `passes on ${listText(passes)}`,
    fails.length === 0 ? '' : `fails on ${listText(fails)}`,
    missing.length === 0 ? '' : `was not run on ${listText(missing)}`,
  ].filter((part) => part !== '');
  return parts.length <= 1 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** `a`, `a and b`, `a, b and c`. */
const listText = (names: readonly string[]): string =>
  names.length <= 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
