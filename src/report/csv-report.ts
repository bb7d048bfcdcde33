import type { PageData, PageMatrix } from './page-data.js';
import type { BenchmarkPage } from './page-data-rows.js';

/**
 * A report as CSV (RFC 4180, UTF-8, CRLF): for a benchmark one line for each instance and method, else one line for each
 * test with its outcomes. Words that a spreadsheet would take for a formula begin with an apostrophe.
 */
export function renderCsv({ benchmark, instances }: Pick<PageData, 'benchmark' | 'instances'>): string {
  const rows = benchmark === null ? matrixRows(instances[0]?.matrix ?? null) : instanceRows(benchmark);
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

type Row = readonly (string | number)[];

function matrixRows(matrix: PageMatrix | null): Row[] {
  const columns = matrix?.columns ?? [];
  const head = ['test', 'role', 'origin', 'step', 'class', ...columns.map(({ title }) => title)];
  const telling = (matrix?.rows ?? []).flatMap(({ testId, ids, role, origin, step, class: judged, cells }) =>
    (ids.length === 0 ? [testId] : ids).map(
      (id): Row => [id, role, origin, step, judged ?? '', ...cells.map(({ mark }) => mark)],
    ),
  );
  const uniform = (matrix?.uniform ?? []).flatMap(({ file, marks, tests }) =>
    tests.map((test): Row => [`${file}::${test}`, 'uniform', '', '', '', ...marks]),
  );
  return [head, ...telling, ...uniform];
}

function instanceRows({ instances, methods, agents }: BenchmarkPage): Row[] {
  const head = ['instance', 'method', 'result', 'decided by', 'selected', 'flag', 'steps', 'tokens', 'minutes', 'test'];
  const rows = instances.flatMap(({ id, ends, candidates }) =>
    ends.flatMap((end, index): Row[] => {
      if (end === null) return [];
      const { result, decidedBy, chosen, flag, steps, tokens, minutes, test } = end;
      const selected = chosen === null ? '' : (agents[chosen] ?? '');
      const known = candidates.map(({ state, resolution }) => (state === 'usable' ? resolution : state));
      return [
        [id, methods[index] ?? '', result, decidedBy, selected, flag ?? '', steps, tokens, minutes, test, ...known],
      ];
    }),
  );
  return [[...head, ...agents], ...rows];
}

function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const inert = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
