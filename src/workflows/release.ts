import { CancellationScope, log } from '@temporalio/workflow';
import type { RunContext } from '../activities/contract.js';
import type { CallActivity } from './activities.js';

/**
 * Takes a run's sandboxes away, those of a cancelled run as well.
 *
 * What it cannot take away is only logged: workers look for what is left behind, and no result depends on it.
 */
export async function release({ call, run }: { call: CallActivity; run: RunContext }): Promise<void> {
  try {
    await CancellationScope.nonCancellable(() =>
      call({ activity: 'releaseInstance', input: run, summary: 'remove sandboxes' }),
    );
  } catch (error) {
    log.warn('The sandboxes of the run could not be removed; workers will look for them.', { error });
  }
}
