import type picocolors from 'picocolors';
import { cut, cutMiddle, fill, widthOf } from './columns.js';
import {
  type CellMark,
  hiddenText,
  legendOf,
  MARK_TEXT,
  type MatrixView,
  restText,
  type ViewColumn,
  type ViewRow,
} from './matrix-view.js';

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

/** Widths of the columns under these heads, with these texts in the last line. */
function widthsOf({
  view,
  heads,
  rest,
}: {
  view: MatrixView;
  heads: readonly string[];
  rest: readonly string[];
}): number[] {
  return view.columns.map(({ id }, index) =>
    Math.max(
      widthOf(heads[index] ?? ''),
      view.rest.rows > 0 ? widthOf(rest[index] ?? '') : 0,
      ...view.rows.map((row) => MARK_TEXT[row.marks[id] ?? 'missing'].length),
    ),
  );
}

/** What all columns take, with the margin of the names. */
const takenBy = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, 0) + INDENT;

/** Head and last line of the columns, and the key to the heads. */
interface Frame {
  readonly heads: readonly string[];
  readonly rest: readonly string[];
  readonly key: readonly string[];
}

/**
 * Heads of the columns: agents' names where they fit beside the tests' names, cut where they stay different, else ids
 * with a key below. The last line is brief before a name is cut.
 */
function frameOf({ view, columns }: { view: MatrixView; columns: number }): Frame {
  const head = (column: ViewColumn, name: string): string => (column.selected ? `>> ${name}` : name);
  const [full, brief] = [false, true].map((isBrief) =>
    view.columns.map((column) => restText({ view, columnId: column.id, isBrief })),
  ) as [string[], string[]];
  const named = view.columns.map((column) => head(column, column.title));
  const shortened = view.columns.map((column) => head(column, cut({ text: column.title, columns: WIDEST_HEAD })));
  const frames = [named, shortened].flatMap((heads) => [full, brief].map((rest) => ({ heads, rest, key: [] })));
  const fits = ({ heads, rest }: Frame): boolean =>
    new Set(heads).size === heads.length && takenBy(widthsOf({ view, heads, rest })) + NARROWEST_NAME <= columns;
  return (
    frames.find(fits) ?? {
      heads: view.columns.map((column) => head(column, column.id)),
      rest: brief,
      key: view.columns
        .filter((column) => column.title !== column.id)
        .map((column) => `${column.id} = ${column.title}`),
    }
  );
}

/** `c1 = agent` entries side by side, as many as fit on a line. */
function keyLines({ key, columns }: { key: readonly string[]; columns: number }): string[] {
  const lines: string[] = [];
  for (const entry of key) {
    const longer = `${lines.at(-1)}, ${entry}`;
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(entry);
  }
  return lines;
}

/** What a person looks for in a row, from `file.py::Class::test in 2 classes  (note)` to `test in 2 classes`. */
function labelsOf({ testId, spread, note }: ViewRow): string[] {
  const bracket = testId.indexOf('[');
  const end = bracket === -1 ? testId.length : bracket;
  const [path = '', ...names] = testId.slice(0, end).split('::');
  const file = path.slice(path.lastIndexOf('/') + 1);
  const rest = `${testId.slice(end)}${spread === '' ? '' : ` ${spread}`}`;
  const short = [[file, ...names].join('::'), names.slice(-2).join('::'), names.at(-1) ?? '']
    .filter((name) => name !== '')
    .map((name) => `${name}${rest}`);
  return [`${short[0]}  (${note})`, ...short];
}

/** The longest label of a row that fits. */
function labelOf({ row, columns }: { row: ViewRow; columns: number }): string {
  const labels = labelsOf(row);
  return labels.find((label) => widthOf(label) <= columns) ?? cutMiddle({ text: labels.at(-1) ?? '', columns });
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
  const { heads, rest, key } = frameOf({ view, columns });
  const widths = widthsOf({ view, heads, rest });
  const wanted = Math.max(NARROWEST_NAME, ...view.rows.map((row) => widthOf(labelsOf(row)[0] ?? '')));
  const nameWidth = Math.max(12, Math.min(wanted, columns - takenBy(widths)));
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
  const below = [hiddenText(view), ...keyLines({ key, columns: columns - INDENT }), legendOf(view)].filter(
    (text) => text !== '',
  );
  return [...lines, ...below.map((text) => colours.dim(`${' '.repeat(INDENT)}${text}`))];
}
