import type { WorkflowHandle } from '@temporalio/client';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** How often each activity of a history was scheduled, by its name. */
export function activityCounts(history: History): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { activityTaskScheduledEventAttributes: scheduled } of history.events ?? []) {
    const name = scheduled?.activityType?.name;
    if (name != null) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** How often an attempt at an activity came to nothing and was followed by another one, by its name. */
export function activityAttempts(history: History): Readonly<Record<string, number>> {
  const events = history.events ?? [];
  const names = new Map(
    events.map((event) => [String(event.eventId), event.activityTaskScheduledEventAttributes?.activityType?.name]),
  );
  const counts: Record<string, number> = {};
  for (const { activityTaskStartedEventAttributes: started } of events) {
    const name = names.get(String(started?.scheduledEventId));
    const lost = (started?.attempt ?? 1) - 1;
    if (name != null && lost > 0) counts[name] = (counts[name] ?? 0) + lost;
  }
  return counts;
}

/** Results of an activity's completed executions, in the order of their ends. */
export function resultsOf<T>({ history, activity }: { history: History; activity: string }): T[] {
  const events = history.events ?? [];
  const names = new Map(
    events.map((event) => [
      String(event.eventId),
      event.activityTaskScheduledEventAttributes?.activityType?.name ?? null,
    ]),
  );
  return events.flatMap(({ activityTaskCompletedEventAttributes: completed }) => {
    const data = completed?.result?.payloads?.[0]?.data;
    if (completed == null || data == null) return [];
    if (names.get(String(completed.scheduledEventId)) !== activity) return [];
    return [JSON.parse(Buffer.from(data).toString()) as T];
  });
}

/** All that a history holds, payloads as text: to look for what must not be in it. */
export function textOfHistory(history: History): string {
  return JSON.stringify(history, (_, value: unknown) => {
    // A buffer has a toJSON of its own, which comes before this function sees it.
    const isBuffer = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
    if (isBuffer) return Buffer.from((value as unknown as { data: number[] }).data).toString();
    return value instanceof Uint8Array ? Buffer.from(value).toString() : value;
  });
}
