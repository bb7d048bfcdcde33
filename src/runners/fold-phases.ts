import type { OutcomeStatus, TestOutcome, TestPhase } from '../core/outcome.js';
import type { PhaseLine } from './record-lines.js';

const MAX_MESSAGE = 2_000;

/** What the record says about one test. */
export interface TestRecord {
  readonly id: string;
  readonly begun: boolean;
  readonly ended: boolean;
  readonly phases: readonly PhaseLine[];
}

/**
 * Folds what a test did in its phases into one outcome.
 *
 * A failing set-up or tear-down is `error`, a failing body or sub-test `failed`. A strict unexpected pass comes as a
 * failure and stays one; a lax one is `passed`. A test that began and did not end is `cut` short: `timeout` or
 * `error`. One that did not begin is `missing`. Without a recorded result nothing is ever `passed`.
 *
 * @param cut outcome of the test in which the process ended
 */
export function foldPhases({
  test,
  cut,
}: {
  test: TestRecord;
  cut: { readonly status: 'timeout' | 'error'; readonly message: string };
}): TestOutcome {
  const afterRerun = test.phases.slice(test.phases.findLastIndex((phase) => phase.outcome === 'rerun') + 1);
  const durationMs = test.phases.reduce((sum, phase) => sum + phase.ms, 0);
  const outcome = (status: OutcomeStatus, phase: TestPhase, message = ''): TestOutcome => ({
    testId: test.id,
    status,
    phase,
    // The recorder keeps to this; a line that a candidate wrote need not.
    message: message.slice(0, MAX_MESSAGE),
    durationMs,
  });
  const find = (when: PhaseLine['when'], result: PhaseLine['outcome']) =>
    afterRerun.find((phase) => phase.when === when && phase.outcome === result && (result === 'failed' || !phase.sub));

  if (!test.begun && afterRerun.length === 0) return outcome('missing', 'collect');
  if (!test.ended) {
    const callBegan = find('setup', 'passed') !== undefined;
    const callEnded = afterRerun.some((phase) => phase.when === 'call' && !phase.sub);
    return outcome(cut.status, callEnded ? 'teardown' : callBegan ? 'call' : 'setup', cut.message);
  }
  const setup = find('setup', 'failed');
  if (setup !== undefined) return outcome('error', 'setup', setup.message);
  const call = find('call', 'failed');
  if (call !== undefined) return outcome('failed', 'call', call.message);
  const teardown = find('teardown', 'failed');
  if (teardown !== undefined) return outcome('error', 'teardown', teardown.message);
  const skipped = find('setup', 'skipped') ?? find('call', 'skipped');
  if (skipped !== undefined) return outcome(skipped.xfail ? 'xfailed' : 'skipped', skipped.when, skipped.message);
  if (find('call', 'passed') !== undefined) return outcome('passed', 'call');
  return outcome('error', 'call', 'The test ended without a result.');
}
