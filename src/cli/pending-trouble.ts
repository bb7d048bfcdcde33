import type { WorkflowHandle } from '@temporalio/client';

/**
 * What a run is waiting out at the moment, for a person: the activity that failed and is tried again, with its last
 * message. Null when nothing failed.
 */
export async function pendingTrouble({ handle }: { handle: WorkflowHandle }): Promise<string | null> {
  const { raw } = await handle.describe();
  for (const activity of raw.pendingActivities ?? []) {
    const message = activity.lastFailure?.message ?? '';
    const attempt = activity.attempt ?? 1;
    if (attempt > 1 && message !== '') {
      return `${activity.activityType?.name ?? 'activity'} is tried again (attempt ${attempt}): ${message}`;
    }
  }
  return null;
}
