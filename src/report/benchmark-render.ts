import picocolors from 'picocolors';
import type { BenchmarkTable, Cell } from './benchmark-cells.js';
import type { BenchmarkReport } from './benchmark-report.js';
import { cutMiddle, fill, hanging, widthOf } from './columns.js';
import { markdownLine, safeLine } from './safe-text.js';

const GAP = 2;
const MIN_WORDS = 8;

/** The report for a terminal of so many columns; names that are too long are cut in their middle. */
export function renderBenchmark({
  report,
  columns,
  colour,
}: {
  report: BenchmarkReport;
  columns: number;
  colour: boolean;
}): string {
  const colours = picocolors.createColors(colour);
  const lines = [` ${colours.bold(safeLine(report.title))}`];
  for (const warning of report.warnings) {
    lines.push(...hanging({ first: ' ! ', text: safeLine(warning), columns }).map(colours.yellow));
  }
  for (const table of report.tables) {
    lines.push('', ...renderTable({ table, columns, colour }));
  }
  return `${lines.join('\n')}\n`;
}

/** One table as lines for a terminal, with its title and notes. */
export function renderTable({
  table,
  columns,
  colour,
}: {
  table: BenchmarkTable;
  columns: number;
  colour: boolean;
}): string[] {
  const colours = picocolors.createColors(colour);
  const [head, ...rows] = tableLines({ table, columns: columns - 1 });
  return [
    ` ${colours.bold(safeLine(table.title))}`,
    ` ${colours.dim(head ?? '')}`,
    ...rows.map((row) => ` ${row}`.trimEnd()),
    ...table.notes.flatMap((note) => hanging({ first: ' ', text: safeLine(note), columns }).map(colours.dim)),
  ];
}

function tableLines({ table, columns }: { table: BenchmarkTable; columns: number }): string[] {
  const grid = [table.columns.map(({ name }) => name), ...table.rows.map((row) => row.map(({ text }) => text))].map(
    (row) => row.map(safeLine),
  );
  const widths = table.columns.map((_, index) => Math.max(...grid.map((row) => widthOf(row[index] ?? ''))));
  // Narrow gaps cost less than cut names.
  const gap = GAP * (widths.length - 1) + widths.reduce((sum, width) => sum + width, 0) <= columns ? GAP : 1;
  shrink({ widths, table, columns, gap });
  return grid.map((row) =>
    row
      .map((text, index) => {
        const width = widths[index] ?? 0;
        const shown = cutMiddle({ text, columns: width });
        const isLeft = table.columns[index]?.align === 'left';
        return isLeft ? fill({ text: shown, columns: width }) : ' '.repeat(width - widthOf(shown)) + shown;
      })
      .join(' '.repeat(gap))
      .trimEnd(),
  );
}

/** Takes from the widest column of words until the table fits, as far as names can still be told apart. */
function shrink({
  widths,
  table,
  columns,
  gap,
}: {
  widths: number[];
  table: BenchmarkTable;
  columns: number;
  gap: number;
}): void {
  const words = widths.map((_, index) => index).filter((index) => table.columns[index]?.align === 'left');
  const total = (): number => widths.reduce((sum, width) => sum + width, 0) + gap * (widths.length - 1);
  while (total() > columns) {
    const [widest] = [...words].sort((left, right) => (widths[right] ?? 0) - (widths[left] ?? 0));
    if (widest === undefined || (widths[widest] ?? 0) <= MIN_WORDS) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** The report as Markdown. */
export function renderBenchmarkMarkdown(report: BenchmarkReport): string {
  const lines = [`# ${markdownLine(report.title)}`, ''];
  if (report.warnings.length > 0) lines.push(...report.warnings.map((warning) => `- ${markdownLine(warning)}`), '');
  for (const table of report.tables) {
    lines.push(`## ${markdownLine(table.title)}`, '');
    lines.push(`| ${table.columns.map(({ name }) => markdownLine(name)).join(' | ')} |`);
    lines.push(`| ${table.columns.map(({ align }) => (align === 'left' ? '---' : '--:')).join(' | ')} |`);
    lines.push(...table.rows.map((row) => `| ${row.map(markdownCell).join(' | ')} |`), '');
    if (table.notes.length > 0) lines.push(...table.notes.map((note) => `${markdownLine(note)}  `), '');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Numbers as they are: within a table nothing at their beginning is markup. */
const markdownCell = ({ text, value }: Cell): string => (typeof value === 'string' ? markdownLine(text) : text);

/**
 * A table as CSV (RFC 4180, UTF-8, CRLF) with unrounded values. Words that a spreadsheet would take for a formula begin with
 * an apostrophe.
 */
export function renderBenchmarkCsv(table: BenchmarkTable): string {
  const seen = new Map<string, number>();
  const names = table.columns.map(({ name }) => {
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return csvField(count === 1 ? name : `${name} ${count}`);
  });
  const rows = table.rows.map((row) => row.map(csvCell).join(','));
  return `${[names.join(','), ...rows].join('\r\n')}\r\n`;
}

function csvCell({ value }: Cell): string {
  return typeof value === 'number' ? String(value) : csvField(value ?? '');
}

function csvField(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
