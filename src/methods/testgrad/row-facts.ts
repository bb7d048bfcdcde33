import { NOT_EXECUTED } from '../../core/cell.js';
import { type Labels, labelOf } from '../../core/labels.js';
import type { Cell, MatrixRow } from '../../core/matrix.js';
import { isFailing } from '../../core/outcome.js';

/** A failure message and the candidates that show it. */
export interface Excerpt {
  readonly labels: readonly string[];
  readonly message: string;
}

/** Status of a cell in words: `passed`, `error (setup)`, `passed, then failed`, `not run`. */
export function statusText(cell: Cell): string {
  if (cell.status === 'missing') return cell.message === NOT_EXECUTED ? 'not run' : 'missing';
  const phase = cell.status !== 'passed' && cell.phase !== 'call' ? ` (${cell.phase})` : '';
  const others = [...new Set(cell.reruns.filter((status) => status !== cell.status))];
  return `${cell.status}${phase}${others.length > 0 ? `, then ${others.join(', ')}` : ''}`;
}

/** Outcomes of a row by label, labels in alphabetical order. */
function outcomesByLabel({ row, labels }: { row: MatrixRow; labels: Labels }): Record<string, string> {
  return Object.fromEntries(labelledCells({ row, labels }).map(([label, cell]) => [label, statusText(cell)]));
}

/** `passed A, C; failed B; base failed`. */
export function outcomeLine({ row, labels }: { row: MatrixRow; labels: Labels }): string {
  const byStatus = new Map<string, string[]>();
  for (const [label, status] of Object.entries(outcomesByLabel({ row, labels }))) {
    byStatus.set(status, [...(byStatus.get(status) ?? []), label]);
  }
  const groups = [...byStatus].map(([status, names]) => `${status} ${names.join(', ')}`);
  return [...groups, `base ${statusText(row.base)}`].join('; ');
}

/** Failure messages of a row, equal ones together, each cut at `maxChars`; the base's are not among them. */
export function excerptsOf({ row, labels, maxChars }: { row: MatrixRow; labels: Labels; maxChars: number }): Excerpt[] {
  const byMessage = new Map<string, string[]>();
  for (const [label, cell] of labelledCells({ row, labels })) {
    if (!isFailing(cell.status)) continue;
    const message = cutLines({ text: cell.message, maxChars });
    byMessage.set(message, [...(byMessage.get(message) ?? []), label]);
  }
  return [...byMessage].map(([message, names]) => ({ labels: names, message }));
}

/** Failure messages of a row without anyone's name, sorted, so that neither order nor number tells who failed. */
export function unlabelledFailures({ row, maxChars }: { row: MatrixRow; maxChars: number }): string[] {
  const failing = Object.values(row.cells).filter((cell) => isFailing(cell.status));
  return [...new Set(failing.map((cell) => cutLines({ text: cell.message, maxChars })))].filter(Boolean).sort();
}

function labelledCells({ row, labels }: { row: MatrixRow; labels: Labels }): [string, Cell][] {
  return Object.entries(row.cells)
    .map(([id, cell]): [string, Cell] => [labelOf({ labels, id }), cell])
    .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
}

/** The beginning of a message, cut at a line's end: half a line of a traceback says something else than the whole. */
function cutLines({ text, maxChars }: { text: string; maxChars: number }): string {
  const whole = text.trim();
  if (whole.length <= maxChars) return whole;
  const cut = whole.slice(0, maxChars);
  const end = cut.lastIndexOf('\n');
  return `${end > 0 ? cut.slice(0, end) : cut}\n…`;
}
