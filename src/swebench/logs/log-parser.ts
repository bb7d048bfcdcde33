/**
 * Which release of the SWE-bench harness is followed: `v4` is 4.1, `v5` is 5.0. They read logs, apply patches and grade
 * differently in places.
 */
export type HarnessRules = 'v4' | 'v5';

/**
 * Test name → status word, in the order in which the log names the tests. The words are `PASSED`, `FAILED`, `ERROR`,
 * `SKIPPED` and `XFAIL`; the pytest family also lets through longer ones that begin with these (`FAILEDx`).
 */
export type StatusMap = ReadonlyMap<string, string>;

/** What a log says; `unparsable` where the harness's own parser breaks off with an error. */
export type ParsedLog =
  | { readonly kind: 'parsed'; readonly statuses: StatusMap }
  | { readonly kind: 'unparsable'; readonly line: string };

/** Reads the statuses out of a log (or the part of it between the markers), whose line ends are `\n`. */
export type LogParser = (input: { readonly log: string; readonly rules: HarnessRules }) => ParsedLog;

const STATUS_WORDS = ['FAILED', 'PASSED', 'SKIPPED', 'ERROR', 'XFAIL'] as const;

/** True when a line begins with a status word, whatever follows it. */
export const startsWithStatus = (line: string): boolean => STATUS_WORDS.some((word) => line.startsWith(word));

/** True when a line ends with a status word, whatever stands before it. */
export const endsWithStatus = (line: string): boolean => STATUS_WORDS.some((word) => line.endsWith(word));

/** True for pytest's summary of skips, `SKIPPED [2] path:line: reason`, where `[2]` is no test. v5 leaves it out. */
export const isSkipSummary = ({ status, name }: { status: string; name: string }): boolean =>
  status === 'SKIPPED' && /^\[\p{Nd}+\]$/u.test(name);
