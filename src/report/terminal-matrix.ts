import type picocolors from 'picocolors';
import { cut, cutMiddle, fill, widthOf } from './columns.js';
import {
  type CellMark,
  legend,
  MARK_TEXT,
  type MatrixView,
  restText,
  type ViewColumn,
  type ViewRow,
} from './matrix-view.js';
import { safeLine } from './safe-text.js';

type Colours = ReturnType<typeof picocolors.createColors>;

const WIDEST_HEAD = 16;
const NARROWEST_NAME = 24;
const GAP = 2;
const INDENT = 3;

function paint({ text, mark, colours }: { text: string; mark: CellMark; colours: Colours }): string {
  if (mark === 'passed') {
    return colours.green(text);
  }
  return mark === 'failed' || mark === 'error' || mark === 'timeout' ? colours.red(text) : colours.yellow(text);
}

/** Heads of the columns: agents' names where they fit beside the tests' names, else ids with a key below. */
function headsOf({ view, columns }: { view: MatrixView; columns: number }): { heads: string[]; key: string[] } {
  const title = (column: ViewColumn): string => (column.selected ? `>> ${column.title}` : column.title);
  const named = view.columns.map((column) => cut({ text: title(column), columns: WIDEST_HEAD }));
  const wide = named.reduce((sum, head) => sum + Math.max(widthOf(head), 7) + GAP, 0);
  if (wide + INDENT + NARROWEST_NAME <= columns) {
    return { heads: named, key: [] };
  }
  return {
    heads: view.columns.map((column) => (column.selected ? `>> ${column.id}` : column.id)),
    key: view.columns.filter((column) => column.title !== column.id).map((column) => `${column.id} = ${column.title}`),
  };
}

/** The parts of a test id that a person looks for, from `file.py::Class::test` to `test`. */
function shortNames(testId: string): string[] {
  const line = safeLine(testId);
  const [path = '', ...names] = line.split('::');
  const file = path.slice(path.lastIndexOf('/') + 1);
  return [[file, ...names].join('::'), names.slice(-2).join('::'), names.at(-1) ?? ''].filter((name) => name !== '');
}

/** The longest name of a row that fits, with its note where there is room for both. */
function labelOf({ row, columns }: { row: ViewRow; columns: number }): string {
  const names = shortNames(row.testId);
  const full = `${names[0]}  (${row.note})`;
  const fitting = [full, ...names].find((name) => widthOf(name) <= columns);
  return fitting ?? cutMiddle({ text: names.at(-1) ?? '', columns });
}

/** The matrix as lines of at most `columns`: the base is the last column, `>>` marks the selected candidate. */
export function matrixLines({
  view,
  columns,
  colours,
}: {
  view: MatrixView;
  columns: number;
  colours: Colours;
}): string[] {
  const { heads, key } = headsOf({ view, columns });
  const rest = view.columns.map((column) => restText({ view, columnId: column.id }));
  const widths = heads.map((head, index) =>
    Math.max(
      widthOf(head),
      view.rest.rows > 0 ? widthOf(rest[index] ?? '') : 0,
      ...view.rows.map((row) => MARK_TEXT[row.marks[view.columns[index]?.id ?? ''] ?? 'missing'].length),
    ),
  );
  const used = widths.reduce((sum, width) => sum + width + GAP, 0) + INDENT;
  const wanted = Math.max(
    NARROWEST_NAME,
    ...view.rows.map((row) => widthOf(`${shortNames(row.testId)[0]}  (${row.note})`)),
  );
  const nameWidth = Math.max(12, Math.min(wanted, columns - used));
  const line = (name: string, cells: readonly string[]): string =>
    `${' '.repeat(INDENT)}${name}${cells.map((cell) => ' '.repeat(GAP) + cell).join('')}`.trimEnd();

  const lines = [
    line(
      ' '.repeat(nameWidth),
      heads.map((head, index) => {
        const text = fill({ text: head, columns: widths[index] ?? 0 });
        return view.columns[index]?.selected ? colours.bold(text) : text;
      }),
    ),
  ];
  for (const row of view.rows) {
    const label = fill({ text: labelOf({ row, columns: nameWidth }), columns: nameWidth });
    lines.push(
      line(
        row.role === 'deciding' ? colours.bold(label) : label,
        view.columns.map((column, at) => {
          const mark = row.marks[column.id] ?? 'missing';
          return paint({ text: fill({ text: MARK_TEXT[mark], columns: widths[at] ?? 0 }), mark, colours });
        }),
      ),
    );
  }
  if (view.rest.rows > 0) {
    const noun = view.rest.rows === 1 ? 'test' : 'tests';
    const others = view.rows.length + view.hidden === 0 ? noun : `other ${noun}`;
    lines.push(
      line(
        fill({ text: `${view.rest.rows} ${others}`, columns: nameWidth }),
        rest.map((text, at) => fill({ text, columns: widths[at] ?? 0 })),
      ),
    );
  }
  const marks = view.rows.flatMap((row) => Object.values(row.marks));
  const below = [
    view.hidden > 0 ? `${view.hidden} more ${view.hidden === 1 ? 'row is' : 'rows are'} in matrix.json.` : '',
    key.length > 0 ? key.join(', ') : '',
    legend(marks),
  ].filter((text) => text !== '');
  return [...lines, ...below.map((text) => colours.dim(`${' '.repeat(INDENT)}${text}`))];
}
