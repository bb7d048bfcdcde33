import type { PreparedCandidate, UsableCandidate } from '../core/candidate.js';
import type { DecidingTest, Decision } from '../core/decision.js';
import type { Matrix, MatrixRow } from '../core/matrix.js';
import { isDecisive } from '../core/outcome.js';
import { fileOf, qualifiedNameOf } from '../core/row.js';
import type { ChangedTest, Suite } from '../core/suite.js';
import { addUsage, type LlmRole, NO_USAGE, type Usage } from '../core/usage.js';
import { type MatrixView, type ViewColumn, viewMatrix } from './matrix-view.js';
import { behaviourNotes, candidateNotes, isUsable } from './notes.js';
import { safeLine, safeText } from './safe-text.js';
import { groupTests } from './test-groups.js';
import { verdictOf } from './verdict.js';

/** A deciding test, or one that decided under several ids, with what a reader needs to believe it. */
export interface ShownTest extends DecidingTest {
  /** How many ids it stands for, in words; empty for one. */
  readonly spread: string;
  /** Definition as it ran, safe to print; null when no update touched the test. */
  readonly source: string | null;
  /** What the unpatched base does on it, or null without a matrix. */
  readonly onBase: 'passes' | 'fails' | 'unknown';
  /** Confirming reruns of its row, the fewest of several. */
  readonly reruns: number;
}

/** A run as every report shows it. All text is made safe for a terminal; Markdown needs its own escaping on top. */
export interface ReportModel {
  readonly runId: string;
  readonly instance: string;
  readonly decision: Decision;
  readonly selected: { readonly id: string; readonly agent: string; readonly size: string } | null;
  /** One line: how it was decided. */
  readonly verdict: string;
  readonly reason: string;
  readonly tests: readonly ShownTest[];
  /** Null when nothing was executed. */
  readonly matrix: MatrixView | null;
  /** What else a reader should know: same changes, same behaviour, exclusions, files set aside, warnings. */
  readonly notes: readonly string[];
  readonly usage: {
    readonly total: Usage;
    readonly byRole: readonly { readonly role: LlmRole; readonly usage: Usage }[];
  };
}

/** `+12 -7, 1 file`. */
export function sizeOf(candidate: UsableCandidate): string {
  const files = candidate.counts?.changedFiles ?? candidate.changedFiles.length;
  return `+${candidate.added} -${candidate.removed}, ${files} ${files === 1 ? 'file' : 'files'}`;
}

/** The definition that an update wrote: in the test's file, or in a class that it inherits from, wherever that is. */
function writtenTest({ test, suite }: { test: DecidingTest; suite: Suite | null }): ChangedTest | undefined {
  const file = fileOf(test.testId);
  const name = qualifiedNameOf(test.testId);
  const written = (suite?.changed ?? []).filter(({ op }) => op !== 'delete');
  const own = written.find((one) => one.file === file && one.name === name);
  if (own !== undefined || test.origin === 'original') return own;
  const last = (path: string): string => path.split('::').at(-1) ?? path;
  const inherited = written.filter((one) => one.step === test.step && last(one.name) === last(name));
  // Of several with the name, none can be told to be the one that ran.
  return inherited.length === 1 ? inherited[0] : undefined;
}

function shownTest({
  test,
  suite,
  row,
}: {
  test: DecidingTest;
  suite: Suite | null;
  row: MatrixRow | undefined;
}): Omit<ShownTest, 'spread'> {
  const changed = writtenTest({ test, suite });
  const base = row?.base.status;
  return {
    ...test,
    quote: safeLine(test.quote),
    source: changed === undefined ? null : safeText(changed.source),
    onBase: base === undefined || !isDecisive(base) ? 'unknown' : base === 'passed' ? 'passes' : 'fails',
    reruns: row === undefined ? 0 : Math.max(0, ...Object.values(row.cells).map((cell) => cell.reruns.length)),
  };
}

/** The deciding tests; ids of one test that say the same are one. */
function shownTests({
  decision,
  matrix,
  suite,
}: {
  decision: Decision;
  matrix: Matrix | null;
  suite: Suite | null;
}): ShownTest[] {
  return groupTests({
    items: decision.decidingTests.map((test) =>
      shownTest({ test, suite, row: matrix?.rows.find((row) => row.testId === test.testId) }),
    ),
    idOf: ({ testId }) => testId,
    alike: ({ origin, step, class: judged, quote, onBase }) => [origin, step, judged, quote, onBase],
  }).flatMap(({ testId, spread, items }) =>
    items.slice(0, 1).map((first) => ({
      ...first,
      testId,
      spread,
      source: items.find(({ source }) => source !== null)?.source ?? null,
      reruns: Math.min(...items.map(({ reruns }) => reruns)),
    })),
  );
}

/** Columns of a matrix for the usable candidates; those that make the same change share their outcomes. */
export function candidateColumns({
  candidates,
  selectedId,
}: {
  candidates: readonly PreparedCandidate[];
  selectedId: string | null;
}): ViewColumn[] {
  return candidates.filter(isUsable).map((candidate) => ({
    id: candidate.id,
    title: safeLine(candidate.agent),
    selected: candidate.id === selectedId,
    source: candidate.sameAs,
  }));
}

/** One model for the terminal, Markdown and JSON. `suite` is the last one, for the sources of deciding tests. */
export function buildReport({
  decision,
  matrix,
  suite,
  maxRows = 8,
}: {
  decision: Decision;
  matrix: Matrix | null;
  suite: Suite | null;
  /** Rows of the matrix that are shown at most; default 8. */
  maxRows?: number;
}): ReportModel {
  const usable = decision.candidates.filter(isUsable);
  const selected = usable.find((candidate) => candidate.id === decision.selectedId);
  const decidingTests = decision.decidingTests.map((test) => test.testId);
  const columns = candidateColumns({ candidates: decision.candidates, selectedId: decision.selectedId });
  const roles = [...new Set(decision.usage.map((entry) => entry.role))];
  const sum = (entries: Decision['usage']): Usage =>
    entries.reduce((left, entry) => addUsage({ left, right: entry.usage }), NO_USAGE);
  return {
    runId: decision.runId,
    instance: safeLine(decision.instance),
    decision,
    selected:
      selected === undefined ? null : { id: selected.id, agent: safeLine(selected.agent), size: sizeOf(selected) },
    verdict: verdictOf(decision),
    reason: safeLine(decision.reason),
    tests: shownTests({ decision, matrix, suite }),
    matrix: matrix === null ? null : viewMatrix({ matrix, columns, decidingTests, maxRows }),
    notes: [
      ...(matrix === null ? [] : behaviourNotes({ decision, matrix })),
      ...candidateNotes(decision.candidates),
      ...decision.warnings.map(safeLine),
    ],
    usage: {
      total: sum(decision.usage),
      byRole: roles.map((role) => ({ role, usage: sum(decision.usage.filter((entry) => entry.role === role)) })),
    },
  };
}
