import type { Interval } from '../core/metrics/interval.js';

/** A table of a benchmark's report, before it is laid out for a terminal, Markdown or CSV. */
export interface BenchmarkTable {
  /** Names its CSV file: lower-case letters and dashes. */
  readonly id: string;
  readonly title: string;
  readonly columns: readonly BenchmarkColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** Sentences below the table. */
  readonly notes: readonly string[];
}

/** A column; numbers stand at the right. */
export interface BenchmarkColumn {
  readonly name: string;
  readonly align: 'left' | 'right';
}

/** What stands in a place of a table. */
export interface Cell {
  /** For people. */
  readonly text: string;
  /** For programs: unrounded; rates from 0 to 1. Null for nothing. */
  readonly value: string | number | null;
}

const NOTHING: Cell = { text: '-', value: null };

/** Words. */
export const wordCell = (text: string): Cell => ({ text, value: text });

/** A whole number, or one with a decimal where it is none. */
export function countCell(count: number): Cell {
  return { text: Number.isInteger(count) ? String(count) : count.toFixed(1), value: count };
}

/** A number with one decimal, or nothing. */
export function decimalCell(value: number | null): Cell {
  return value === null ? NOTHING : { text: value.toFixed(1), value };
}

/** A rate from 0 to 1 as `84.2%`, or nothing. */
export function rateCell(rate: number | null): Cell {
  return rate === null ? NOTHING : { text: percent(rate), value: rate };
}

/** A difference of rates as `+5.0` points, or nothing. */
export function pointsCell(difference: number | null): Cell {
  return difference === null ? NOTHING : { text: points(difference), value: difference };
}

/** Bounds of a rate, `80.7-87.1%`. */
export function intervalCell(interval: Interval | null): Cell {
  if (interval === null) return NOTHING;
  const text = `${(interval.low * 100).toFixed(1)}-${percent(interval.high)}`;
  return { text, value: boundsValue(interval) };
}

/** Bounds of a difference, `+3.2 to +7.0`. */
export function pointsIntervalCell(interval: Interval | null): Cell {
  if (interval === null) return NOTHING;
  return { text: `${points(interval.low)} to ${points(interval.high)}`, value: boundsValue(interval) };
}

/** In brackets, so that no spreadsheet takes a negative bound for a formula. */
const boundsValue = ({ low, high }: Interval): string => `[${low}; ${high}]`;

/** A probability that small values make interesting: `<0.001`, `0.039`. */
export function pCell(p: number | null): Cell {
  if (p === null) return NOTHING;
  return { text: p < 0.001 ? '<0.001' : p.toFixed(3), value: p };
}

/** Tokens in thousands, `670.0`. */
export const thousandsCell = (tokens: number): Cell => ({ text: (tokens / 1000).toFixed(1), value: tokens / 1000 });

/** US dollars, `0.0213`, or nothing where the price is not known. */
export function usdCell(usd: number | null): Cell {
  return usd === null ? { text: 'unknown', value: null } : { text: usd.toFixed(usd < 1 ? 4 : 2), value: usd };
}

/** `84.2%` of 0.842. */
export const percent = (rate: number): string => `${(rate * 100).toFixed(1)}%`;

/** `+5.0` of 0.05. */
export function points(difference: number): string {
  const text = (difference * 100).toFixed(1);
  return difference < 0 || text === '0.0' || text === '-0.0' ? text.replace('-0.0', '0.0') : `+${text}`;
}
