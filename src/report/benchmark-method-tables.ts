import type { BenchmarkSummary } from '../core/metrics/benchmark-summary.js';
import type { MethodRow } from '../core/metrics/method-table.js';
import {
  type BenchmarkColumn,
  type BenchmarkTable,
  countCell,
  decimalCell,
  intervalCell,
  pCell,
  percent,
  pointsCell,
  pointsIntervalCell,
  rateCell,
  thousandsCell,
  usdCell,
  wordCell,
} from './benchmark-cells.js';

/** Columns of a table: the first at the left, the others at the right unless they begin with `<`. */
export function columnsOf(...names: readonly string[]): BenchmarkColumn[] {
  return names.map((name, index) => {
    const isLeft = index === 0 || name.startsWith('<');
    return { name: name.replace(/^</, ''), align: isLeft ? 'left' : 'right' };
  });
}

/** Pass@1 of all methods with the bounds that they lie between (RQ1, and RQ3 where the methods are ablations). */
export function methodsTable({ methods, n }: BenchmarkSummary): BenchmarkTable {
  const { best, oracle, expected, adversary } = methods;
  const bound = (name: string, rate: number, gain: number) => [
    wordCell(name),
    rateCell(rate),
    intervalCell(null),
    decimalCell(null),
    pointsCell(gain),
    rateCell(null),
  ];
  const ungraded = methods.rows.filter(({ pass }) => pass.unknown > 0);
  return {
    id: 'methods',
    title: `Methods, ${n} candidates an instance`,
    columns: columnsOf('method', 'Pass@1', '95% interval', 'resolved', 'gain', 'headroom'),
    rows: [
      bound('oracle', oracle, oracle - best.rate),
      ...methods.rows.map(({ method, pass, gain, headroom }) => [
        wordCell(method),
        rateCell(pass.rate),
        intervalCell(pass.interval),
        { text: `${countCell(pass.resolved).text}/${pass.instances}`, value: pass.resolved },
        pointsCell(gain),
        rateCell(headroom),
      ]),
      bound(`best agent (${best.agent})`, best.rate, 0),
      bound('expected (random choice)', expected, expected - best.rate),
      bound('adversary', adversary, adversary - best.rate),
    ],
    notes: [
      'gain: points over the best agent by itself; headroom: share of the room between it and the oracle.',
      ...ungraded.map(
        ({ method, pass }) =>
          `${method}: ${pass.unknown} of ${pass.instances} selected patches not graded, counted as not resolved; at most ${percent(pass.rateAtMost)}.`,
      ),
    ],
  };
}

/** Every method against the reference, pair by pair. Null where there is nothing but the reference. */
export function comparisonTable({ methods }: BenchmarkSummary): BenchmarkTable | null {
  const rows = methods.rows.flatMap(({ method, against }) => (against === null ? [] : [{ method, against }]));
  if (rows.length === 0) return null;
  const { reference } = methods;
  return {
    id: 'comparison',
    title: `Compared with ${reference}, instance by instance`,
    columns: columnsOf('method', 'instances', 'only it', `only ${reference}`, 'difference', '95% interval', 'p'),
    rows: rows.map(({ method, against }) => [
      wordCell(method),
      countCell(against.instances),
      decimalCellOf(against.discordant?.onlyLeft),
      decimalCellOf(against.discordant?.onlyRight),
      pointsCell(against.difference),
      pointsIntervalCell(against.interval),
      pCell(against.p),
    ]),
    notes: [
      'only it, only the reference: instances that one of both resolves. p: McNemar, exact, two-sided. Interval: bootstrap over instances.',
    ],
  };
}

const decimalCellOf = (count: number | undefined) => (count === undefined ? decimalCell(null) : countCell(count));

/** Time, tokens and price of an instance. */
export function overheadTable({ methods }: BenchmarkSummary): BenchmarkTable {
  const measured = methods.rows.flatMap(({ method, overhead }) => (overhead === null ? [] : [{ method, overhead }]));
  const doubtful = measured.filter(({ overhead }) => overhead.possibleDuplicates > 0);
  return {
    id: 'overhead',
    title: 'Cost of an instance',
    columns: columnsOf('method', 'minutes', 'median', '90%', 'k tokens', 'k at 90%', 'calls', 'USD', 'total'),
    rows: measured.map(({ method, overhead: { minutes, tokens, calls, usd } }) => [
      wordCell(method),
      decimalCell(minutes.mean),
      decimalCell(minutes.median),
      decimalCell(minutes.p90),
      thousandsCell(tokens.mean),
      thousandsCell(tokens.p90),
      decimalCell(calls.mean),
      usdCell(usd === null ? null : usd.mean),
      usdCell(usd === null ? null : usd.total),
    ]),
    notes: doubtful.map(
      ({ method, overhead }) => `${method}: calls that may have been paid twice: ${overhead.possibleDuplicates}.`,
    ),
  };
}

/** Oracle, expected and adversary, and the methods, for the first n agents (RQ2). */
export function ensembleTable({ ensemble, lines }: BenchmarkSummary): BenchmarkTable {
  const swept = [...new Set(lines.map(({ method }) => method))].filter(
    (method) => lines.filter((line) => line.method === method).length > 1,
  );
  return {
    id: 'ensemble',
    title: 'The first N agents',
    columns: columnsOf('N', '<agent added', 'alone', 'best', 'oracle', 'expected', 'adversary', ...swept),
    rows: ensemble.map((line) => [
      countCell(line.n),
      wordCell(line.added),
      rateCell(line.addedRate),
      rateCell(line.best.rate),
      rateCell(line.oracle),
      rateCell(line.expected),
      rateCell(line.adversary),
      ...swept.map((method) =>
        rateCell(lines.find((point) => point.method === method && point.n === line.n)?.pass.rate ?? null),
      ),
    ]),
    notes: ensemble
      .slice(-1)
      .filter(({ unknown }) => unknown > 0)
      .map(
        ({ unknown }) => `Instances with a candidate that was not graded, which counts as not resolving: ${unknown}.`,
      ),
  };
}

/** What a method left without a result, in words; empty when nothing. */
export function gapsOf({ method, pass, fallbacks }: MethodRow): string[] {
  const parts = [
    pass.errors === 0 ? '' : `${pass.errors} ended with an error`,
    pass.nothing === 0 ? '' : `${pass.nothing} without a selection`,
    fallbacks === 0 ? '' : `${fallbacks} by a fallback`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? [] : [`${method}: ${parts.join(', ')}.`];
}
