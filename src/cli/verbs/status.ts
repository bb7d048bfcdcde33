import { cut, fill } from '../../report/columns.js';
import { durationText, renderLine } from '../../report/live-frame.js';
import { safeLine } from '../../report/safe-text.js';
import { shortRunId } from '../../report/short-run-id.js';
import { countText, priceText } from '../../report/usage-text.js';
import { verdictOf } from '../../report/verdict.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, openStore } from '../places.js';
import { queryProgress } from '../query-progress.js';
import { findRun, listRuns } from '../run-index.js';
import { type ListedRun, listedRun, type RunState, serverStates } from '../run-states.js';
import { openSession, type Session, workflowUrl } from '../session.js';

const MAX_RUNS = 20;

/** Lists do not start a server, and a server that does not answer only costs what it would have told. */
async function sessionIfAny({ invocation, home }: { invocation: Invocation; home: string }): Promise<Session | null> {
  try {
    return await openSession({ invocation, home, start: false });
  } catch (error) {
    invocation.terminal.note(`${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function ageText(startedAt: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(startedAt)) / 60_000));
  if (minutes < 60) return `${minutes}m`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}

function stateText(run: ListedRun): string {
  return run.decision === null ? run.state : run.decision.kind;
}

function table({ runs, columns }: { runs: readonly ListedRun[]; columns: number }): string {
  const head = ['RUN', 'KIND', 'STATE', 'SELECTED', 'TOKENS', 'COST', 'AGE', 'NAME'];
  const rows = runs.map((run) => [
    shortRunId(run.runId),
    run.kind,
    stateText(run),
    cut({ text: safeLine(run.selected ?? '-'), columns: 16 }),
    run.tokens === null ? '-' : countText(run.tokens),
    run.tokens === null ? '-' : priceText(run.usd).replace('price unknown', '?'),
    ageText(run.startedAt),
    safeLine(run.name),
  ]);
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, ...rows]
    .map((row) => {
      const cells = row.map((text, at) => (at === row.length - 1 ? text : fill({ text, columns: widths[at] ?? 0 })));
      return cut({ text: cells.join('  '), columns });
    })
    .join('\n');
}

async function one({
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
    const progress =
      run.state === 'running' && session !== null
        ? await queryProgress({ session, handle: session.connected.client.workflow.getHandle(record.workflowId) })
        : null;
    if (values.on('json')) {
      const { decision, ...listed } = run;
      terminal.json({
        schema: 'testgrad.status/1',
        runs: [{ ...listed, outcome: decision?.kind ?? null, progress, taskQueue: record.taskQueue, ui }],
      });
      return 0;
    }
    terminal.out(`${shortRunId(run.runId)}  ${run.kind}  ${safeLine(run.name)}`);
    terminal.out(`state    ${run.state}, started ${durationText(Date.now() - Date.parse(run.startedAt))} ago`);
    if (run.decision !== null) terminal.out(`result   ${safeLine(run.selected ?? 'none')}: ${verdictOf(run.decision)}`);
    if (progress !== null) terminal.out(`now      ${renderLine({ runId: shortRunId(run.runId), progress })}`);
    if (run.state === 'running') terminal.out(`queue    ${record.taskQueue}`);
    if (ui !== null) terminal.out(`pages    ${ui}`);
    return 0;
  } finally {
    await session?.connected.close();
  }
}

/** `testgrad status [RUN]`: the runs that were started here, or one of them at length. */
export async function status(invocation: Invocation): Promise<number> {
  const { argument, terminal, values } = invocation;
  const home = homeFolder(invocation);
  if (argument !== undefined) return one({ invocation, home, reference: argument });
  const records = await listRuns({ home });
  const session = records.length === 0 ? null : await sessionIfAny({ invocation, home });
  try {
    const states: ReadonlyMap<string, RunState> = session === null ? new Map() : await serverStates({ session });
    const store = await openStore(home);
    const shown = records.slice(0, values.on('json') ? records.length : MAX_RUNS);
    const runs = await Promise.all(shown.map((record) => listedRun({ record, store, states })));
    if (values.on('json')) {
      const rows = runs.map(({ decision, ...listed }) => ({ ...listed, outcome: decision?.kind ?? null }));
      terminal.json({ schema: 'testgrad.status/1', runs: rows });
      return 0;
    }
    if (runs.length === 0) {
      terminal.out(`No runs in ${home}.`);
      return 0;
    }
    terminal.out(table({ runs, columns: terminal.columns }));
    if (records.length > runs.length) terminal.note(`Showing ${runs.length} of ${records.length}; --json has all.`);
    if (session === null && runs.some((run) => run.state === 'unknown')) {
      terminal.note('No server runs, so unfinished runs are shown as unknown: testgrad up.');
    }
    return 0;
  } finally {
    await session?.connected.close();
  }
}
