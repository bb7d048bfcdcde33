import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import type { Progress } from '../core/progress.js';
import { type LiveFacts, renderFrame, renderLine } from '../report/live-frame.js';
import { safeLine } from '../report/safe-text.js';
import { shortRunId } from '../report/short-run-id.js';
import type { EventStream } from './events.js';
import { pendingTrouble } from './pending-trouble.js';
import { queryProgress } from './query-progress.js';
import type { RunRecord } from './run-index.js';
import type { Session } from './session.js';
import type { Terminal } from './terminal.js';

/** How watching ended. */
export type FollowEnd = { readonly kind: 'result'; readonly value: unknown } | { readonly kind: 'detached' };

const FRAME_EVERY_MS = 500;
const LINE_EVERY_MS = 2_000;
const NO_WORKER_AFTER_MS = 30_000;
const TROUBLE_EVERY_MS = 5_000;

/** What is shown while a run is watched. */
interface Screen {
  readonly show: (progress: Progress | null) => void;
  /** What the run is waiting out, null when nothing. */
  readonly trouble: (text: string | null) => void;
  readonly tick: () => void;
  readonly end: () => void;
}

/** Shows progress on standard error: a frame that is rewritten on a terminal, else a line whenever something changed. */
async function display({
  facts,
  terminal,
}: {
  facts: (now: { readonly idleMs: number | null; readonly trouble: string | null }) => LiveFacts;
  terminal: Terminal;
}): Promise<Screen> {
  let latest: Progress | null = null;
  let trouble: string | null = null;
  let changedAt: number | null = null;
  let shown = '';
  const note = (progress: Progress): void => {
    if (JSON.stringify(progress) !== JSON.stringify(latest)) changedAt = Date.now();
    latest = progress;
  };
  if (!terminal.live) {
    return {
      trouble: (text) => {
        if (text !== null && text !== trouble) terminal.note(safeLine(text));
        trouble = text;
      },
      show: (progress) => {
        if (progress === null) return;
        note(progress);
        const line = renderLine({ runId: shortRunId(facts({ idleMs: null, trouble }).runId), progress });
        if (line !== shown) terminal.note(line);
        shown = line;
      },
      tick: () => undefined,
      end: () => undefined,
    };
  }
  const { createLogUpdate } = await import('log-update');
  const update = createLogUpdate(process.stderr);
  const draw = (): void => {
    const columns = Math.min(process.stderr.columns ?? 80, 120) - 1;
    const idleMs = changedAt === null ? null : Date.now() - changedAt;
    update(renderFrame({ facts: facts({ idleMs, trouble }), progress: latest, columns, colour: terminal.colour }));
  };
  return {
    trouble: (text) => {
      trouble = text;
    },
    show: (progress) => {
      if (progress !== null) note(progress);
      draw();
    },
    tick: draw,
    end: () => {
      update.clear();
      update.done();
    },
  };
}

/**
 * Watches a run until it ends or someone presses Ctrl+C, which leaves the run alone. Rejects with the workflow's
 * failure; queries that fail meanwhile (no worker, a server that restarts) are tried again.
 */
export async function follow({
  session,
  handle,
  record,
  uiUrl,
  attached,
  terminal,
  events,
}: {
  session: Session;
  handle: WorkflowHandle;
  record: RunRecord;
  uiUrl: string | null;
  /** True when the run was there before. */
  attached: boolean;
  terminal: Terminal;
  events: EventStream | undefined;
}): Promise<FollowEnd> {
  const startedMs = Date.parse(record.startedAt);
  const watchedFrom = Date.now();
  const screen = await display({
    terminal,
    facts: ({ idleMs, trouble }) => ({
      runId: record.runId,
      title: record.name,
      model: record.model,
      maxTokens: record.maxTokens,
      elapsedMs: Date.now() - startedMs,
      idleMs,
      trouble,
      uiUrl,
    }),
  });
  let over = false;
  let onInterrupt = (): void => undefined;
  const interrupted = new Promise<FollowEnd>((resolve) => {
    onInterrupt = () => resolve({ kind: 'detached' });
  });
  // Not once: a listener that is gone when others are called lets the cursor's guard end the process.
  process.on('SIGINT', onInterrupt);
  terminal.note(
    `${attached ? 'Attached to run' : 'Started run'} ${shortRunId(record.runId)}: ${uiUrl ?? record.workflowId}`,
  );
  const ticker = setInterval(screen.tick, FRAME_EVERY_MS);
  const polling = (async () => {
    let answered = false;
    let warned = false;
    let lookedAt = 0;
    while (!over) {
      if (Date.now() - lookedAt > TROUBLE_EVERY_MS) {
        lookedAt = Date.now();
        const trouble = await pendingTrouble({ handle }).catch(() => null);
        if (over) return;
        screen.trouble(trouble);
        events?.trouble(trouble);
      }
      const progress = await queryProgress({ session, handle });
      if (over) return;
      answered ||= progress !== null;
      screen.show(progress);
      if (progress !== null) events?.progress(progress);
      if (!answered && !warned && !session.local && Date.now() - watchedFrom > NO_WORKER_AFTER_MS) {
        warned = true;
        terminal.note(
          `TG-T02  No worker answers on queue "${record.taskQueue}". The run waits, nothing is lost. Start one: testgrad worker --task-queue ${record.taskQueue}`,
        );
      }
      await sleep(terminal.live ? FRAME_EVERY_MS : LINE_EVERY_MS, undefined, { ref: false });
    }
  })();
  // It ends by itself once it is over; a late answer must not become an unhandled rejection.
  polling.catch(() => undefined);
  try {
    const result = handle.result().then((value): FollowEnd => ({ kind: 'result', value }));
    result.catch(() => undefined);
    return await Promise.race([result, interrupted]);
  } finally {
    over = true;
    clearInterval(ticker);
    process.off('SIGINT', onInterrupt);
    screen.end();
  }
}

/** How to come back to a run that was left, for people. */
export const detachedText = (runId: string): string =>
  `Detached. Run ${shortRunId(runId)} goes on; come back with: testgrad watch ${shortRunId(runId)}`;
