import type { CandidateOutcomes, FileOutcome, OutcomeStatus, TestPhase } from '../../src/core/outcome.js';
import type { ChangedTest, Suite } from '../../src/core/suite.js';

/** A test's end: a status, or a status with the phase it was decided in. */
export type End = OutcomeStatus | readonly [OutcomeStatus, TestPhase];

/** A file's end: the ends of its tests, or the state in which it was left (with tests that ended before). */
export type FileEnd =
  | Readonly<Record<string, End>>
  | { readonly state: FileOutcome['state']; readonly tests?: Readonly<Record<string, End>> };

/** One run of one column from ends by file and test name. */
export function run(files: Readonly<Record<string, FileEnd>>): CandidateOutcomes {
  return {
    schema: 'testgrad.outcomes/1',
    candidate: 'any',
    files: Object.entries(files).map(([file, end]) => fileOutcome(file, end)),
  };
}

/** Short for a run of one file `t.py`. */
export const tests = (ends: Readonly<Record<string, End>>): CandidateOutcomes => run({ 't.py': ends });

function fileOutcome(file: string, end: FileEnd): FileOutcome {
  const state = hasState(end) ? end.state : 'ran';
  const ends = hasState(end) ? (end.tests ?? {}) : end;
  const outcomes = Object.entries(ends).map(([name, each]) => {
    const [status, phase] = typeof each === 'string' ? ([each, 'call'] as const) : each;
    return { testId: `${file}::${name}`, status, phase, message: '', durationMs: 1 };
  });
  return { file, state, reason: state === 'ran' ? '' : `is ${state}`, outcomes, imports: {}, durationMs: 1 };
}

/** No test of these files is called `state`. */
const hasState = (end: FileEnd): end is Extract<FileEnd, { state: FileOutcome['state'] }> => 'state' in end;

/** A change of a suite; its definition has no text unless it is given. */
export type Change = Pick<ChangedTest, 'op' | 'file' | 'name' | 'step'> & Partial<ChangedTest>;

/** A suite of some test files at `step` with these changes; a change with `op: create` is also in its edits. */
export function suiteWith(changed: readonly Change[] = [], testFiles: readonly string[] = ['t.py', 'u.py']): Suite {
  const full = changed.map((change) => ({ source: '', reason: '', ...change }));
  const created = full.filter((change) => change.op === 'create');
  return {
    schema: 'testgrad.suite/1',
    step: Math.max(0, ...full.map((change) => change.step)),
    edits: created.map(({ file, name, source }) => ({
      diagnosis: '',
      failedDirection: '',
      reuse: [],
      operations: [{ op: 'create', file, name, source }],
    })),
    files: {},
    changed: full,
    testFiles,
  };
}
