import type { BenchmarkSummary, MethodDetails } from '../core/metrics/benchmark-summary.js';
import type { SeparationCounts } from '../core/metrics/separations.js';
import {
  type BenchmarkTable,
  type Cell,
  countCell,
  decimalCell,
  intervalCell,
  rateCell,
  wordCell,
} from './benchmark-cells.js';
import { columnsOf } from './benchmark-method-tables.js';

/** Precision of each method by how it decided. */
export function decidedTable({ details }: BenchmarkSummary): BenchmarkTable {
  return {
    id: 'decided',
    title: 'By how it was decided',
    columns: columnsOf('method', '<decided by', 'instances', 'share', 'precision', '95% interval', 'mixed'),
    rows: details.flatMap(({ method, decided }) =>
      decided.map((row) => [
        wordCell(method),
        wordCell(row.decidedBy),
        countCell(row.instances),
        rateCell(row.share),
        rateCell(row.precision),
        intervalCell(row.interval),
        { text: `${countCell(row.mixed.resolved).text}/${row.mixed.graded}`, value: row.mixed.resolved },
      ]),
    ),
    notes: ['mixed: resolved, of the instances where some candidate is right and some is wrong.'],
  };
}

/** Valid and wrong separations by where the tests come from. Null where no method separates by tests. */
export function separationsTable({ details }: BenchmarkSummary): BenchmarkTable | null {
  const rows = details.flatMap(({ method, separations, deciding }) => [
    ...separations.map((counts) => separationCells({ method, tests: 'all', counts })),
    ...deciding.map((counts) => separationCells({ method, tests: 'deciding', counts })),
  ]);
  if (rows.length === 0) return null;
  return {
    id: 'separations',
    title: 'Tests that tell candidates apart',
    columns: columnsOf('method', '<tests', '<origin', 'number', 'valid', 'wrong', 'neutral', 'unknown', 'precision'),
    rows,
    notes: [
      'valid: fails wrong candidates only and passes a right one; wrong: fails a right one; neutral: all of them are wrong.',
    ],
  };
}

function separationCells({
  method,
  tests,
  counts,
}: {
  method: string;
  tests: string;
  counts: SeparationCounts;
}): Cell[] {
  return [
    wordCell(method),
    wordCell(tests),
    wordCell(counts.origin),
    countCell(counts.tests),
    countCell(counts.valid),
    countCell(counts.wrong),
    countCell(counts.neutral),
    countCell(counts.unknown),
    rateCell(counts.precision),
  ];
}

/** Steps until the first separation. Null where no method separates by tests. */
export function stepsTable({ details }: BenchmarkSummary): BenchmarkTable | null {
  const separating = details.filter(({ steps }) => steps.steps.length > 0);
  if (separating.length === 0) return null;
  return {
    id: 'steps',
    title: 'Steps to separation',
    columns: columnsOf('method', 'step', 'instances', 'in all'),
    rows: separating.flatMap(({ method, steps }) =>
      steps.steps.map(({ step, instances, cumulative }) => [
        wordCell(method),
        countCell(step),
        countCell(instances),
        rateCell(cumulative),
      ]),
    ),
    notes: separating.map(
      ({ method, steps }) =>
        `${method}: ${steps.mean?.toFixed(2)} steps in the mean; ${steps.never} instances were never separated.`,
    ),
  };
}

/** Momentum against the raw memory by step (RQ4). Null where no method has a memory. */
export function momentumTable({ details }: BenchmarkSummary): BenchmarkTable | null {
  const rows = details.flatMap(({ method, momentum }) => momentum.map((row) => ({ method, row })));
  if (rows.length === 0) return null;
  return {
    id: 'momentum',
    title: 'Momentum against raw memory, in tokens',
    columns: columnsOf('method', 'step', 'instances', 'momentum', 'max', 'raw', 'raw max', 'ratio'),
    rows: rows.map(({ method, row }) => [
      wordCell(method),
      countCell(row.step),
      countCell(row.instances),
      decimalCell(row.momentumTokens),
      countCell(row.momentumMax),
      decimalCell(row.rawTokens),
      countCell(row.rawMax),
      decimalCell(row.ratio),
    ]),
    notes: [],
  };
}

/** How far agents resolve the same instances. Null for one agent. */
export function agreementTable({ agreement, uniqueSolves }: BenchmarkSummary): BenchmarkTable | null {
  if (agreement.length === 0) return null;
  return {
    id: 'agreement',
    title: 'Agreement between agents',
    columns: columnsOf('agent', '<and', 'both', 'only first', 'only second', 'neither', 'agree', 'kappa'),
    rows: agreement.map((pair) => [
      wordCell(pair.left),
      wordCell(pair.right),
      countCell(pair.both),
      countCell(pair.onlyLeft),
      countCell(pair.onlyRight),
      countCell(pair.neither),
      rateCell(pair.agreement),
      pair.kappa === null ? decimalCell(null) : { text: pair.kappa.toFixed(2), value: pair.kappa },
    ]),
    notes: uniqueSolves.map(({ agent, resolved, unique }) => `${agent}: ${resolved} resolved, ${unique} by it alone.`),
  };
}

/** What is missing, unexpected or repeated, a sentence each; empty when every instance is there once. */
export function gapNotes({ method, reconciliation }: MethodDetails): string[] {
  const { expected, finished, missing, unexpected, repeated } = reconciliation;
  const listed = (ids: readonly string[]): string =>
    ids.length <= 5 ? ids.join(', ') : `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more`;
  return [
    missing.length === 0 ? '' : `${method}: ${finished} of ${expected} finished; missing: ${listed(missing)}.`,
    unexpected.length === 0 ? '' : `${method}: ${unexpected.length} not expected: ${listed(unexpected)}.`,
    repeated.length === 0 ? '' : `${method}: ${repeated.length} more than once, the last counts: ${listed(repeated)}.`,
  ].filter((note) => note !== '');
}
