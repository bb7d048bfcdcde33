import { cut, fill, widthOf } from '../../report/columns.js';
import { safeLine } from '../../report/safe-text.js';
import { shortRunId } from '../../report/short-run-id.js';
import { countText, priceText } from '../../report/usage-text.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, openStore } from '../places.js';
import { listRuns } from '../run-index.js';
import { type ListedRun, listedRun, NO_SERVER, type RunState, serverStates } from '../run-states.js';
import { printRunStatus } from '../run-status.js';
import { sessionIfAny } from '../session.js';

const MAX_RUNS = 20;

function ageText(startedAt: string): string {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(startedAt)) / 60_000));
  if (minutes < 60) return `${minutes}m`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}

function stateText(run: ListedRun): string {
  if (run.ended !== null) return run.ended.errors === 0 ? 'finished' : `${run.ended.errors} errors`;
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
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => widthOf(row[at] ?? ''))));
  return [head, ...rows]
    .map((row) => {
      const cells = row.map((text, at) => (at === row.length - 1 ? text : fill({ text, columns: widths[at] ?? 0 })));
      return cut({ text: cells.join('  '), columns });
    })
    .join('\n');
}

/** What of the local stack runs, or null for nothing. */
async function stackText(home: string): Promise<string | null> {
  const { stackStatus } = await import('../../workers/local-stack.js');
  const { server, workers } = await stackStatus({ home });
  const count = workers.filter(({ state }) => state === 'running').length;
  const parts = [
    ...(server === null || server.state === 'stopped'
      ? []
      : [`a local Temporal server at ${server.address}${server.state === 'silent' ? ' (which does not answer)' : ''}`]),
    ...(count === 0 ? [] : [`${count} ${count === 1 ? 'worker' : 'workers'}`]),
  ];
  return parts.length === 0 ? null : `Running: ${parts.join(', ')}. testgrad down stops that.`;
}

/** `testgrad status [RUN]`: the runs that were started here, or one of them at length. */
export async function status(invocation: Invocation): Promise<number> {
  const { argument, terminal, values } = invocation;
  const home = homeFolder(invocation);
  if (argument !== undefined) return printRunStatus({ invocation, home, reference: argument });
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
    terminal.out(runs.length === 0 ? `No runs in ${home}.` : table({ runs, columns: terminal.columns }));
    if (records.length > runs.length) terminal.note(`Showing ${runs.length} of ${records.length}; --json has all.`);
    if (session === null && runs.some((run) => run.state === 'unknown')) terminal.note(NO_SERVER);
    const stack = await stackText(home);
    if (stack !== null) terminal.note(stack);
    return 0;
  } finally {
    await session?.connected.close();
  }
}
