import type { HarnessRules, StatusMap } from '../logs/log-parser.js';

/** `fail_only`: the parser records failures only, and a test that is not named has passed. */
export type EvalType = 'pass_and_fail' | 'fail_only';

/** Tests that a right patch must make pass, and tests that it must not break. Gold: never shown to a selection. */
export interface ExpectedTests {
  readonly failToPass: readonly string[];
  readonly passToPass: readonly string[];
}

/** Expected tests by what became of them, in the order in which they are expected. */
export interface TestVerdicts {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

/** Verdicts on all expected tests. */
export interface ExpectedVerdicts {
  readonly failToPass: TestVerdicts;
  readonly passToPass: TestVerdicts;
  /**
   * Expected tests that are in no list, because their status is none that the harness knows there. The harness leaves
   * them out of its rates, so that an instance can be resolved in spite of them; they are told here.
   */
  readonly unaccounted: readonly string[];
}

const PASSING: ReadonlySet<string> = new Set(['PASSED', 'XFAIL']);
const FAILING: ReadonlySet<string> = new Set(['FAILED', 'ERROR']);

type Verdict = 'success' | 'failure' | 'none';

/** Judges the expected tests by the statuses of a run (`get_eval_tests_report`). */
export function judgeExpected({
  expected,
  statuses,
  rules,
  evalType,
}: {
  expected: ExpectedTests;
  statuses: StatusMap;
  rules: HarnessRules;
  evalType: EvalType;
}): ExpectedVerdicts {
  const unaccounted: string[] = [];
  const verdictsOf = (tests: readonly string[], list: keyof ExpectedTests): TestVerdicts => {
    const verdicts = { success: [] as string[], failure: [] as string[] };
    for (const test of tests) {
      const status = statusOf({ test, statuses, rules: evalType === 'fail_only' ? 'v4' : rules });
      const verdict = evalType === 'fail_only' ? onlyFailing(status) : passOrFail({ status, rules, list });
      (verdict === 'none' ? unaccounted : verdicts[verdict]).push(test);
    }
    return verdicts;
  };
  const failToPass = verdictsOf(expected.failToPass, 'failToPass');
  const passToPass = verdictsOf(expected.passToPass, 'passToPass');
  return { failToPass, passToPass, unaccounted };
}

const onlyFailing = (status: string | undefined): Verdict => (status === 'FAILED' ? 'failure' : 'success');

function passOrFail({
  status,
  rules,
  list,
}: {
  status: string | undefined;
  rules: HarnessRules;
  list: keyof ExpectedTests;
}): Verdict {
  if (status === undefined || FAILING.has(status)) return 'failure';
  if (PASSING.has(status)) return 'success';
  // A skipped test proves nothing about the issue, and breaks nothing.
  if (rules === 'v5' && status === 'SKIPPED') return list === 'failToPass' ? 'failure' : 'success';
  return 'none';
}

/**
 * The status of an expected test, undefined without one. v5: 676 names of Verified are cut inside their parameters;
 * such a name stands for all tests that begin with it, when these agree.
 */
function statusOf({
  test,
  statuses,
  rules,
}: {
  test: string;
  statuses: StatusMap;
  rules: HarnessRules;
}): string | undefined {
  const exact = statuses.get(test);
  if (exact !== undefined || rules === 'v4') return exact;
  if (count(test, '[') <= count(test, ']')) return undefined;
  const matching = [...statuses].filter(([name]) => name.startsWith(test)).map(([, status]) => status);
  const agree = new Set(matching.map((status) => PASSING.has(status))).size === 1;
  return agree ? matching[0] : undefined;
}

const count = (text: string, character: string): number => text.split(character).length - 1;

/** Full: everything expected came true; partial: some of what must be fixed, and nothing broke. */
export type Resolution = 'full' | 'partial' | 'no';

/** Verdict on an instance (`get_resolution_status`); an empty list counts as come true. */
export function resolutionOf({ failToPass, passToPass }: Omit<ExpectedVerdicts, 'unaccounted'>): Resolution {
  if (passToPass.failure.length > 0) return 'no';
  if (failToPass.failure.length === 0) return 'full';
  return failToPass.success.length > 0 ? 'partial' : 'no';
}
