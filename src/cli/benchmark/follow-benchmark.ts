import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchmarkProgress, FailedItem } from '../../core/benchmark-progress.js';
import type { BenchmarkEnd } from '../../core/benchmark-result.js';
import { benchmarkLine, failedLine, renderBenchmarkFrame } from '../../report/benchmark-frame.js';
import { shortRunId } from '../../report/short-run-id.js';
import { queryProgress } from '../query-progress.js';
import { runFailure } from '../run-failure.js';
import { workflowUrl } from '../session.js';
import type { StartedRun } from '../start-run.js';
import type { Terminal } from '../terminal.js';

/** How watching ended. */
export type BenchmarkFollowEnd = { readonly kind: 'end'; readonly end: BenchmarkEnd } | { readonly kind: 'detached' };

const FRAME_EVERY_MS = 1_000;
const QUERY_EVERY_MS = 2_000;
/** Without a terminal: what failed at once, and where it stands this often. */
const LINE_EVERY_MS = 60_000;
/** How often a server that does not answer is asked again, and how long it may take in all. */
const ASK_AGAIN_MS = 2_000;
const GIVE_UP_MS = 120_000;

interface Screen {
  readonly show: (progress: BenchmarkProgress | null) => void;
  readonly end: () => void;
}

async function openScreen({ started, terminal }: { started: StartedRun; terminal: Terminal }): Promise<Screen> {
  const { record, session } = started;
  const { runId, name, model, workflowId } = record;
  const uiUrl = workflowUrl({ session, workflowId });
  let latest: BenchmarkProgress | null = null;
  if (!terminal.live) return plainScreen({ runId, terminal });
  const { createLogUpdate } = await import('log-update');
  const update = createLogUpdate(process.stderr);
  const draw = (): void => {
    const nowMs = Date.now();
    const facts = { runId, title: name, model, nowMs, uiUrl, elapsedMs: nowMs - Date.parse(record.startedAt) };
    const columns = Math.min(process.stderr.columns ?? 80, 120) - 1;
    update(renderBenchmarkFrame({ facts, progress: latest, columns, colour: terminal.colour }));
  };
  const timer = setInterval(draw, FRAME_EVERY_MS);
  return {
    show: (progress) => {
      latest = progress ?? latest;
      draw();
    },
    end: () => {
      clearInterval(timer);
      update.clear();
      update.done();
    },
  };
}

function plainScreen({ runId, terminal }: { runId: string; terminal: Terminal }): Screen {
  let shownAt = 0;
  let shownDone = -1;
  const told = new Set<string>();
  const tell = (failed: FailedItem): void => {
    if (told.has(failed.runId)) return;
    told.add(failed.runId);
    terminal.note(failedLine({ runId, failed }));
  };
  return {
    show: (progress) => {
      if (progress === null) return;
      for (const failed of progress.failed) tell(failed);
      const done = progress.tally.finished + progress.tally.errors;
      if (done === shownDone || Date.now() - shownAt < LINE_EVERY_MS) return;
      [shownAt, shownDone] = [Date.now(), done];
      terminal.note(benchmarkLine({ runId, progress, nowMs: Date.now() }));
    },
    end: () => undefined,
  };
}

/** The end, over hours in which a server may be busy or be started again. */
async function resultOf(handle: StartedRun['handle']): Promise<BenchmarkEnd> {
  let failingSinceMs: number | null = null;
  for (;;) {
    const askedMs = Date.now();
    try {
      return (await handle.result()) as BenchmarkEnd;
    } catch (error) {
      if (!(error instanceof Error && error.name === 'ServiceError')) throw error;
      // A question that was open for long shows that the server was there.
      failingSinceMs = askedMs > Date.now() - GIVE_UP_MS ? (failingSinceMs ?? askedMs) : Date.now();
      if (Date.now() - failingSinceMs > GIVE_UP_MS) throw error;
      await sleep(ASK_AGAIN_MS);
    }
  }
}

/**
 * Watches a benchmark until it ends or someone presses Ctrl+C, which leaves it alone. Throws {@link runFailure} when it
 * failed or was cancelled.
 */
export async function followBenchmark({
  started,
  terminal,
}: {
  started: StartedRun;
  terminal: Terminal;
}): Promise<BenchmarkFollowEnd> {
  const { session, handle, record, attached } = started;
  const uiUrl = workflowUrl({ session, workflowId: record.workflowId });
  const short = shortRunId(record.runId);
  terminal.note(`${attached ? 'Attached to run' : 'Started run'} ${short}: ${uiUrl ?? record.workflowId}`);
  const screen = await openScreen({ started, terminal });
  let over = false;
  let onInterrupt = (): void => undefined;
  const interrupted = new Promise<BenchmarkFollowEnd>((resolve) => {
    onInterrupt = () => resolve({ kind: 'detached' });
  });
  process.on('SIGINT', onInterrupt);
  const polling = (async () => {
    while (!over) {
      const progress = await queryProgress<BenchmarkProgress>({ session, handle });
      if (over) return;
      screen.show(progress);
      await sleep(QUERY_EVERY_MS, undefined, { ref: false });
    }
  })();
  polling.catch(() => undefined);
  try {
    const result = resultOf(handle).then((end): BenchmarkFollowEnd => ({ kind: 'end', end }));
    result.catch(() => undefined);
    return await Promise.race([result, interrupted]);
  } catch (error) {
    throw runFailure({ error, runId: record.runId });
  } finally {
    over = true;
    process.off('SIGINT', onInterrupt);
    screen.end();
  }
}
