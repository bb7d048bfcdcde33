import type { Cell } from './matrix.js';
import type { CandidateOutcomes, FileOutcome, OutcomeStatus, TestOutcome } from './outcome.js';
import { collectionId, fileOf, isCollectionId } from './row.js';

/** Message of a cell whose file never ran on this column. */
export const NOT_EXECUTED = 'The file was not executed here.';

/** One run of one column, indexed for the matrix. */
export interface IndexedRun {
  /** Step of the suite that ran. */
  readonly step: number;
  readonly files: ReadonlyMap<string, FileOutcome>;
  readonly tests: ReadonlyMap<string, TestOutcome>;
}

/** Indexes a run by file and by test id. */
export function indexRun({ run, step }: { run: CandidateOutcomes; step: number }): IndexedRun {
  return {
    step,
    files: new Map(run.files.map((file) => [file.file, file])),
    tests: new Map(run.files.flatMap((file) => file.outcomes.map((outcome) => [outcome.testId, outcome]))),
  };
}

/** Row ids that a run knows of: its tests, and the collection of each file that could not be run through. */
export function idsOf(run: IndexedRun): string[] {
  const broken = [...run.files.values()].filter((file) => collectionFailure(file) !== null);
  return [...run.tests.keys(), ...broken.map((file) => collectionId(file.file))];
}

/**
 * The cell of a row from all runs of a column, the latest step's first: status, phase and message of the first that
 * executed the file, statuses of the others. Runs of steps before `since`, when the test last changed, do not count, and
 * an execution that several steps share counts once. A test that its file does not mention is `missing`; all tests of a
 * file on which our side broke are `infra`.
 */
export function cellOf({ runs, testId, since }: { runs: readonly IndexedRun[]; testId: string; since: number }): Cell {
  const latest = runs[0]?.step ?? 0;
  const seen = new Set<string>();
  const executed = runs.flatMap((run) => {
    const file = run.files.get(fileOf(testId));
    if (!file || run.step < since || (run.step < latest && seen.has(executionOf(file)))) return [];
    seen.add(executionOf(file));
    return [lookUp({ run, file, testId })];
  });
  const [first, ...reruns] = executed;
  if (!first) return { ...missing(NOT_EXECUTED), reruns: [] };
  return { ...first, reruns: reruns.map((rerun) => rerun.status) };
}

/** Tells executions apart: a stored outcome that is used again comes with its duration, to the last digit. */
const executionOf = (file: FileOutcome): string => `${file.state} ${file.outcomes.length} ${file.durationMs}`;

type Finding = Pick<Cell, 'status' | 'phase' | 'message'>;

function lookUp({ run, file, testId }: { run: IndexedRun; file: FileOutcome; testId: string }): Finding {
  if (file.state === 'infra') return { status: 'infra', phase: 'collect', message: file.reason };
  if (isCollectionId(testId)) return collectionFailure(file) ?? { status: 'passed', phase: 'collect', message: '' };
  const outcome = run.tests.get(testId);
  if (outcome) return { status: outcome.status, phase: outcome.phase, message: outcome.message };
  return missing(WHY_MISSING[file.state]);
}

const missing = (message: string): Finding => ({ status: 'missing', phase: 'collect', message });

const WHY_MISSING: Readonly<Record<Exclude<FileOutcome['state'], 'infra'>, string>> = {
  ran: 'The file has no such test here.',
  empty: 'The file has no such test here.',
  'not-collected': 'The file could not be collected here.',
  timeout: 'The file was killed at its limit before this test ended.',
  crashed: 'The process died before this test ended.',
};

/** Why a file's collection row does not pass, or null where it does. */
function collectionFailure(file: FileOutcome): Finding | null {
  // A file that died or was killed after its first test got through collection: that failure is one of behaviour.
  const phase = file.outcomes.length > 0 ? 'call' : 'collect';
  if (file.state === 'not-collected') return { status: 'error', phase: 'collect', message: file.reason };
  if (file.state === 'crashed') return { status: 'error', phase, message: file.reason };
  // Where a running test carries the timeout, its own row shows it already.
  const isShown = file.outcomes.some((outcome) => outcome.status === 'timeout');
  return file.state === 'timeout' && !isShown ? { status: 'timeout', phase, message: file.reason } : null;
}

/** What a status means for a row's contrast; `unknown` says nothing at all, not even that something changed. */
export function bucketOf(status: OutcomeStatus): 'passing' | 'failing' | 'neither' | 'unknown' {
  if (status === 'infra') return 'unknown';
  if (status === 'passed') return 'passing';
  return status === 'failed' || status === 'error' || status === 'timeout' ? 'failing' : 'neither';
}
