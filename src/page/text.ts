import type { DecidedBy } from '../core/metrics/record.js';
import type { CellMark, RowRole } from '../report/matrix-view.js';

/** `950`, `21.3k`, `1.2M`. */
export function count(value: number): string {
  if (value < 10_000) return String(Math.round(value));
  return value < 1_000_000 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}

/** `84.2%` of 0.842. */
export const percent = (rate: number): string => `${(rate * 100).toFixed(1)}%`;

/** `+5.0` points of 0.05. */
export const points = (rate: number): string => `${rate < 0 ? '−' : '+'}${Math.abs(rate * 100).toFixed(1)}`;

/** `$0.09`, or that the price is not known. */
export function price(usd: number | null): string {
  if (usd === null) return 'price unknown';
  return usd > 0 && usd < 0.005 ? 'under $0.01' : `$${usd.toFixed(2)}`;
}

/** `0.8 s`, `47 s`, `12 min 30 s`, `1 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `2026-11-30 16:29` in the reader's zone. */
export function when(iso: string): string {
  const date = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** An outcome as a sign and a word: neither needs colour. */
export const MARKS: Readonly<Record<CellMark, { readonly sign: string; readonly word: string }>> = {
  passed: { sign: '✓', word: 'pass' },
  failed: { sign: '✗', word: 'fail' },
  error: { sign: '!', word: 'error' },
  timeout: { sign: '◷', word: 'timeout' },
  skipped: { sign: '·', word: 'skip' },
  xfailed: { sign: '·', word: 'xfail' },
  missing: { sign: '–', word: 'not run' },
  infra: { sign: '?', word: 'unknown' },
  flaky: { sign: '≈', word: 'flaky' },
};

export const ROLES: Readonly<Record<RowRole, string>> = {
  deciding: 'deciding',
  evidence: 'evidence',
  differential: 'separates',
  'not-evidence': 'no evidence',
  unconfirmed: 'unconfirmed',
  flaky: 'flaky',
  weak: 'weak',
};

/** How an instance was decided, with the sign that stands for it in charts and tables. */
export const DECIDED: Readonly<Record<DecidedBy, { readonly sign: string; readonly word: string }>> = {
  'existing-test': { sign: '■', word: 'existing test' },
  'updated-test': { sign: '▲', word: 'updated test' },
  'created-test': { sign: '●', word: 'created test' },
  equivalent: { sign: '=', word: 'equivalent' },
  'single-candidate': { sign: '1', word: 'single candidate' },
  judge: { sign: '§', word: 'judge' },
  rule: { sign: '#', word: 'rule' },
  fallback: { sign: '○', word: 'fallback' },
  bound: { sign: '~', word: 'bound' },
  nothing: { sign: '∅', word: 'nothing selected' },
  error: { sign: '!', word: 'error' },
};
