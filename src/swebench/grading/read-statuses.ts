import type { HarnessRules, LogParser, StatusMap } from '../logs/log-parser.js';
import { PYTHON_SPACE, universalNewlines } from '../logs/python-text.js';
import { MARKERS } from './markers.js';

/** Why nothing can be said from a log. */
export type UnusableReason =
  /** One of the harness's own words for a failure stands in it. */
  | 'failure-marker'
  /** Start or end of the tests' output is not in it. */
  | 'no-markers'
  /** v5: no status was read, and no runner says that it ran anything. */
  | 'nothing-ran'
  /** v5: the tests' exit code is not 0 and yet no test failed: the log does not describe the run. */
  | 'exit-code-contradicts';

/** The statuses of a log, or why it has none. `unparsable`: the harness breaks off and leaves no report at all. */
export type LogStatuses =
  | { readonly kind: 'read'; readonly statuses: StatusMap }
  | { readonly kind: 'unusable'; readonly reason: UnusableReason }
  | { readonly kind: 'unparsable'; readonly line: string };

const FAILURES = [MARKERS.applyFailed, MARKERS.resetFailed, MARKERS.testsErrored, MARKERS.testsTimedOut];

const DIGIT = '\\p{Nd}';
/**
 * Signs that a runner ran a test, in the words of runners whose parsers record failures only. Numbers are looked back
 * for, because to try each digit of a long one as its beginning takes quadratic time.
 */
const SUITE_RAN = new RegExp(
  [
    `Executed [1-9]${DIGIT}* of ${DIGIT}+`,
    `TOTAL: [1-9]${DIGIT}* (?:SUCCESS|FAILED)`,
    `(?<=[1-9]${DIGIT}*) passing`,
    `Tests:[${PYTHON_SPACE}]+[1-9]${DIGIT}*`,
    `Test Suites:[${PYTHON_SPACE}]+(?:${DIGIT}+ [\\p{L}\\p{N}_]+, )*[1-9]${DIGIT}* total`,
    `(?<![^\\n])# tests [1-9]${DIGIT}*`,
    `(?<=[1-9]${DIGIT}*) specs?, ${DIGIT}+ failures?`,
    `': ok(?![^\\n])`,
  ].join('|'),
  'u',
);
const EXIT_CODE = new RegExp(`${MARKERS.exitCode}:[${PYTHON_SPACE}]*(-?${DIGIT}+)`, 'u');

/**
 * Reads the statuses of a run's log (`get_logs_eval`): from between the first start marker and the next marker, and
 * from the whole log where nothing is found there.
 */
export function readStatuses({
  log: raw,
  parser,
  rules,
}: {
  /** The merged output of the evaluation script. */
  log: string;
  parser: LogParser;
  rules: HarnessRules;
}): LogStatuses {
  const log = universalNewlines(raw);
  if (FAILURES.some((marker) => log.includes(marker))) return { kind: 'unusable', reason: 'failure-marker' };
  if (!log.includes(MARKERS.start) || !log.includes(MARKERS.end)) return { kind: 'unusable', reason: 'no-markers' };

  const inside = parser({ log: betweenMarkers(log), rules });
  const parsed = inside.kind === 'parsed' && inside.statuses.size === 0 ? parser({ log, rules }) : inside;
  if (parsed.kind === 'unparsable') return parsed;
  const { statuses } = parsed;
  if (rules === 'v5') {
    if (statuses.size === 0 && !SUITE_RAN.test(log)) return { kind: 'unusable', reason: 'nothing-ran' };
    if (contradicts({ log, statuses })) return { kind: 'unusable', reason: 'exit-code-contradicts' };
  }
  return { kind: 'read', statuses };
}

function betweenMarkers(log: string): string {
  const start = log.indexOf(MARKERS.start) + MARKERS.start.length;
  const ends = [log.indexOf(MARKERS.start, start), log.indexOf(MARKERS.end, start)].filter((at) => at !== -1);
  return log.slice(start, Math.min(log.length, ...ends));
}

function contradicts({ log, statuses }: { log: string; statuses: StatusMap }): boolean {
  const code = EXIT_CODE.exec(log)?.[1];
  if (code === undefined || /^-?0+$/.test(code) || statuses.size === 0) return false;
  return ![...statuses.values()].some((status) => status === 'FAILED' || status === 'ERROR');
}
