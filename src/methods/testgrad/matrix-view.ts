import type { Labels } from '../../core/labels.js';
import type { Matrix, MatrixRow, RowKind } from '../../core/matrix.js';
import { isFailing } from '../../core/outcome.js';
import { fileOf, qualifiedNameOf } from '../../core/row.js';
import { excerptsOf, outcomeLine, statusText } from './row-facts.js';
import { clip } from './text.js';

const EXCERPT_CHARS = 600;
const NAMES_AT_MOST = 12;
/** A candidate that breaks the project fails hundreds of tests in one way; so many of them say what there is to say. */
const SHOWN_OF_ONE_FAILURE = 4;

const HEADINGS: readonly (readonly [RowKind, string])[] = [
  ['differential', 'Differential rows (pass on some candidate, fail on another)'],
  ['unconfirmed', 'Differential at first sight, not confirmed by a rerun yet'],
  ['flaky', 'Flaky rows (another result when run again: no evidence)'],
  ['weak', 'Weak rows (a test of an update could not be collected or set up on some candidate: no evidence)'],
];

/**
 * The matrix for a model: rows of the last update first and in full, with labels, the base and failure excerpts; earlier
 * rows that differ in two lines each; original tests on which all candidates agree as counts. At most about `maxChars` characters, default 16,000; what
 * does not fit is counted. No candidate appears other than by its label.
 */
export function renderMatrix({
  matrix,
  labels,
  maxChars = 16_000,
}: {
  matrix: Matrix;
  labels: Labels;
  maxChars?: number;
}): string {
  const uniform = matrix.rows.filter((row) => row.kind === 'uniform');
  const own = uniform.filter((row) => row.origin !== 'original');
  const summary = summarise(uniform.filter((row) => row.origin === 'original'));
  const blocks = [
    ...HEADINGS.map(([kind, heading]) => ({ heading, rows: matrix.rows.filter((row) => row.kind === kind) })),
    { heading: 'Tests of your updates on which all candidates agree', rows: own },
  ].filter(({ rows }) => rows.length > 0);

  let left = maxChars - summary.length;
  const parts = blocks.map(({ heading, rows }) => {
    const all = groupAlike({ rows: latestFirst({ rows, step: matrix.step }), labels });
    const { groups, repeats } = withoutRepeats({ groups: all, labels });
    const alike =
      repeats.length > 0
        ? [`[${repeats.length} more that ended and failed as some of these did: ${nameList(repeats)}]`]
        : [];
    left -= alike.join().length;
    const shown: string[] = [];
    for (const group of groups) {
      const text = rowText({ group, labels, step: matrix.step });
      if (text.length > left) break;
      left -= text.length;
      shown.push(text);
    }
    const missing = groups.slice(shown.length).flat();
    const note = missing.length > 0 ? [`[${missing.length} more: ${nameList(missing)}]`] : [];
    return [`${heading}: ${rows.length}`, ...shown, ...alike, ...note].join('\n');
  });
  if (blocks[0]?.heading !== HEADINGS[0]?.[1]) parts.unshift('No differential row.');
  return clip({ text: [...parts, summary].join('\n\n'), maxChars: Math.round(maxChars * 1.2) });
}

/** The last update's rows are what the next one builds on; they must not be the ones that are cut. */
function latestFirst({ rows, step }: { rows: readonly MatrixRow[]; step: number }): MatrixRow[] {
  return [...rows].sort((a, b) => Number(b.step === step) - Number(a.step === step));
}

/** Rows of one test that ended alike stand together, over its parameters and over the classes that inherit it. */
function groupAlike({ rows, labels }: { rows: readonly MatrixRow[]; labels: Labels }): MatrixRow[][] {
  const groups = new Map<string, MatrixRow[]>();
  for (const row of rows) {
    const key = [row.origin, methodNameOf(row.testId), outcomeLine({ row, labels }), row.judgement?.class].join('\n');
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}

/** Leaves the first original tests of those that ended alike, with failures that begin alike. */
function withoutRepeats({ groups, labels }: { groups: readonly MatrixRow[][]; labels: Labels }): {
  groups: readonly MatrixRow[][];
  repeats: readonly MatrixRow[];
} {
  const seen = new Map<string, number>();
  const isRepeat = ([row]: readonly MatrixRow[]): boolean => {
    if (row === undefined || row.origin !== 'original') return false;
    const failures = excerptsOf({ row, labels, maxChars: EXCERPT_CHARS });
    const beginnings = failures.map(({ message }) => message.split('\n', 1)[0]);
    const key = [outcomeLine({ row, labels }), row.judgement?.class, ...beginnings].join('\n');
    seen.set(key, (seen.get(key) ?? 0) + 1);
    return (seen.get(key) ?? 0) > SHOWN_OF_ONE_FAILURE;
  };
  const repeated = new Set(groups.filter(isRepeat));
  return { groups: groups.filter((group) => !repeated.has(group)), repeats: [...repeated].flat() };
}

function rowText({ group, labels, step }: { group: readonly MatrixRow[]; labels: Labels; step: number }): string {
  const row = group[0] as MatrixRow;
  const origin = row.origin === 'original' ? 'original' : `${row.origin} in step ${row.step}`;
  const alike =
    group.length > 1 ? `, and ${group.length - 1} more of this name (parameters or classes) with the same outcome` : '';
  const head = [`- ${row.testId}${alike} [${origin}]`, `    ${outcomeLine({ row, labels })}`];
  if (row.step < step && row.judgement) return [...head, `    judged ${row.judgement.class}`].join('\n');
  const failures = excerptsOf({ row, labels, maxChars: EXCERPT_CHARS }).map(
    ({ labels: who, message }) => `    ${who.join(', ')}: ${indented(message || '(no message)')}`,
  );
  return [...head, ...(row.judgement ? [`    ${judgementText(row)}`] : []), ...failures].join('\n');
}

const methodNameOf = (testId: string): string => qualifiedNameOf(testId).split('::').at(-1) ?? testId;

const indented = (text: string): string => text.replaceAll('\n', '\n      ');

function judgementText({ judgement }: MatrixRow): string {
  if (!judgement) return '';
  const quote = judgement.quote ? ` "${judgement.quote}"` : '';
  return `judged ${judgement.class}:${quote} ${judgement.reason}`.trim();
}

/** Original tests on which all candidates agree, by what they agree on. */
function summarise(rows: readonly MatrixRow[]): string {
  const byPattern = new Map<string, MatrixRow[]>();
  for (const row of rows) {
    const pattern = patternOf(row);
    byPattern.set(pattern, [...(byPattern.get(pattern) ?? []), row]);
  }
  const lines = [...byPattern]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([pattern, same]) =>
      pattern === QUIET
        ? `- ${pattern}: ${same.length} (${fileCounts(same)})`
        : `- ${pattern}: ${same.length} (${nameList(same)})`,
    );
  return lines.length > 0 ? ['Original tests on which all candidates agree:', ...lines].join('\n') : '';
}

const QUIET = 'passed on all candidates and on the base';

function patternOf(row: MatrixRow): string {
  const cells = Object.values(row.cells);
  const base = statusText(row.base);
  if (cells.every((cell) => cell.status === 'passed')) {
    return row.base.status === 'passed' ? QUIET : `passed on all candidates, ${base} on the base`;
  }
  if (cells.every((cell) => isFailing(cell.status))) return `failing on all candidates, ${base} on the base`;
  return `${[...new Set(cells.map((cell) => cell.status))].sort().join(' or ')} on the candidates, ${base} on the base`;
}

function fileCounts(rows: readonly MatrixRow[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(fileOf(row.testId), (counts.get(fileOf(row.testId)) ?? 0) + 1);
  return listed([...counts].map(([file, count]) => `${file} ${count}`));
}

const nameList = (rows: readonly MatrixRow[]): string => listed(rows.map((row) => row.testId));

function listed(names: readonly string[]): string {
  const more = names.length > NAMES_AT_MOST ? `, … ${names.length - NAMES_AT_MOST} more` : '';
  return names.slice(0, NAMES_AT_MOST).join(', ') + more;
}
