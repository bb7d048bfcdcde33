import type { BenchmarkProgress } from '../core/benchmark-progress.js';
import type { Progress } from '../core/progress.js';
import { benchmarkLine } from '../report/benchmark-frame.js';
import { durationText, progressLine } from '../report/live-frame.js';
import { safeLine } from '../report/safe-text.js';
import { shortRunId } from '../report/short-run-id.js';
import { verdictOf } from '../report/verdict.js';
import type { Invocation } from './invocation.js';
import { pendingTrouble } from './pending-trouble.js';
import { openStore } from './places.js';
import { queryProgress } from './query-progress.js';
import { findRun, type RunRecord } from './run-index.js';
import { listedRun, NO_SERVER, type RunState, serverStates } from './run-states.js';
import { type Session, sessionIfAny, workflowUrl } from './session.js';

/** What is to be known about a run in work. */
interface Work {
  /** Null when no worker answers. */
  readonly progress: Progress | BenchmarkProgress | null;
  /** What it is waiting out, null when nothing. */
  readonly trouble: string | null;
  /** False when the local server has no worker for it. */
  readonly served: boolean;
}

const NO_WORK: Work = { progress: null, trouble: null, served: true };

async function workOf({ session, record, home }: { session: Session; record: RunRecord; home: string }): Promise<Work> {
  const handle = session.connected.client.workflow.getHandle(record.workflowId);
  const { taskQueue } = record;
  const { servingWorker } = await import('../workers/local-worker.js');
  const served = !session.local || (await servingWorker({ home, taskQueue, target: session.target })) !== null;
  return {
    progress: served ? await queryProgress<Progress | BenchmarkProgress>({ session, handle }) : null,
    trouble: await pendingTrouble({ handle }).catch(() => null),
    served,
  };
}

function nowText({ progress, runId }: { progress: Progress | BenchmarkProgress; runId: string }): string {
  if (!('tally' in progress)) return progressLine(progress);
  return benchmarkLine({ runId, progress, nowMs: Date.now() }).replace(`${shortRunId(runId)}  `, '');
}

/** Says where one run stands, as JSON with --json. Returns the exit code; throws TG-R05 for an unknown run. */
export async function printRunStatus({
  invocation,
  home,
  reference,
}: {
  invocation: Invocation;
  home: string;
  reference: string;
}): Promise<number> {
  const { terminal, values } = invocation;
  const record = await findRun({ home, reference });
  const session = await sessionIfAny({ invocation, home });
  try {
    const states: ReadonlyMap<string, RunState> = session === null ? new Map() : await serverStates({ session });
    const run = await listedRun({ record, store: await openStore(home), states });
    const ui = session === null ? null : workflowUrl({ session, workflowId: record.workflowId });
    const work = run.state === 'running' && session !== null ? await workOf({ session, record, home }) : NO_WORK;
    const { progress } = work;
    if (values.on('json')) {
      const { decision, ...listed } = run;
      terminal.json({
        schema: 'testgrad.status/1',
        runs: [{ ...listed, outcome: decision?.kind ?? null, ...work, taskQueue: record.taskQueue, ui }],
      });
      return 0;
    }
    terminal.out(`${shortRunId(run.runId)}  ${run.kind}  ${safeLine(run.name)}`);
    terminal.out(`state    ${run.state}, started ${durationText(Date.now() - Date.parse(run.startedAt))} ago`);
    if (run.ended !== null) terminal.out(`result   ${run.ended.finished} runs finished, ${run.ended.errors} errors`);
    if (run.decision !== null) terminal.out(`result   ${safeLine(run.selected ?? 'none')}: ${verdictOf(run.decision)}`);
    if (progress !== null) terminal.out(`now      ${nowText({ progress, runId: run.runId })}`);
    if (work.trouble !== null) terminal.out(`trouble  ${safeLine(work.trouble)}`);
    if (run.state === 'running') terminal.out(`queue    ${record.taskQueue}${work.served ? '' : ', without a worker'}`);
    if (ui !== null) terminal.out(`pages    ${ui}`);
    if (!work.served) terminal.note(`It waits for a worker: testgrad watch ${shortRunId(run.runId)} starts one.`);
    if (session === null && run.state === 'unknown') terminal.note(NO_SERVER);
    return 0;
  } finally {
    await session?.connected.close();
  }
}
