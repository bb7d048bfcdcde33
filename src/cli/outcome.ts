import { cp, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Decision } from '../core/decision.js';
import { InputError } from '../errors.js';
import { renderResult } from '../report/terminal-result.js';
import { type FinishedRun, reportOf } from './finished-run.js';
import type { Invocation } from './invocation.js';
import { runFolder } from './places.js';
import { shownDecision } from './withheld.js';

/** Exit code of a finished run; 10 and 11 only when a differential test was asked for. */
export function exitCodeOfDecision({
  decision,
  requireDifferential,
}: {
  decision: Decision;
  requireDifferential: boolean;
}): number {
  if (decision.kind === 'no-candidate') return 2;
  if (decision.kind === 'none-acceptable') return 13;
  if (decision.kind === 'fallback' && decision.ended === 'tokens') return 12;
  if (!requireDifferential || decision.kind === 'differential') return 0;
  return decision.kind === 'equivalent' ? 11 : 10;
}

const isFile = async (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );

/**
 * Copies a run's folder to where --write says, and returns the folder to show: the copy, else the original, else null
 * when the folder is on another machine. Throws TG-I14 when it cannot be written.
 */
export async function copyRunFolder({
  invocation,
  home,
  runId,
}: {
  invocation: Invocation;
  home: string;
  runId: string;
}): Promise<string | null> {
  const { values, terminal, cwd } = invocation;
  const from = runFolder({ home, runId });
  const write = values.text('write');
  // A run that another machine finished has no more than our own record here.
  if (!(await isFile(join(from, 'decision.json')))) {
    if (write !== undefined)
      terminal.note(`The run's folder is on the worker's machine; --write ${write} was left out.`);
    return null;
  }
  if (write === undefined) return from;
  const to = resolve(cwd, write);
  try {
    await cp(from, to, { recursive: true, filter: (source) => basename(source) !== 'run.json' });
  } catch (error) {
    throw new InputError({
      code: 'TG-I14',
      what: `--write ${write} cannot be written: ${(error as Error).message}`,
      meaning: `The run is finished and its folder is in ${from}.`,
      fix: 'Name a folder that can be written.',
      cause: error,
    });
  }
  return to;
}

/** Prints a finished run (as JSON with --json), writes its folder with --write, and returns the exit code. */
export async function printOutcome({
  invocation,
  home,
  finished,
  uiUrl,
}: {
  invocation: Invocation;
  home: string;
  finished: FinishedRun;
  /** Address of the run in Temporal's UI. */
  uiUrl: string | null;
}): Promise<number> {
  const { values, terminal } = invocation;
  const { decision } = finished;
  const folder = await copyRunFolder({ invocation, home, runId: decision.runId });
  if (values.on('json')) {
    terminal.json({
      schema: 'testgrad.select/1',
      run: { id: decision.runId, workflow: `testgrad/select/${decision.runId}`, folder, ui: uiUrl },
      outcome: decision.kind,
      selected: decision.selected,
      decision: shownDecision({ decision, content: values.on('content') }),
    });
  } else {
    const { columns, colour } = terminal;
    terminal.out(renderResult({ model: reportOf(finished), columns, colour, places: { runDir: folder, uiUrl } }));
  }
  return exitCodeOfDecision({ decision, requireDifferential: values.on('requireDifferential') });
}
