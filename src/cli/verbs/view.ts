import { InputError } from '../../errors.js';
import { builtPage } from '../../report/html-report.js';
import { startViewer, type Viewer } from '../../viewer/server.js';
import type { ViewerSource } from '../../viewer/sources.js';
import type { Invocation } from '../invocation.js';
import { liveStates } from '../live-state.js';
import { homeFolder, openStore } from '../places.js';
import { placeNamed } from '../report-material.js';
import { findRun } from '../run-index.js';
import { sessionIfAny } from '../session.js';
import { placeSource, stateFolderSource } from '../viewer-source.js';

/** `testgrad view [RUN]`: serves the page on 127.0.0.1 until it is interrupted, and follows what happens. */
export async function view(invocation: Invocation): Promise<number> {
  const { argument, cwd, terminal, values } = invocation;
  const home = homeFolder(invocation);
  const place = argument === undefined ? null : await placeNamed({ reference: argument, cwd });
  if (place !== null) return serve({ invocation, source: placeSource(place), run: 'last' });
  const run = argument === undefined ? null : await findRun({ home, reference: argument });
  const session = await sessionIfAny({ invocation, home });
  try {
    if (session === null && !values.on('json'))
      terminal.note('No server runs: finished runs are shown from their files.');
    const source = stateFolderSource({ home, cwd, store: await openStore(home), live: liveStates(session) });
    return await serve({ invocation, source, run: run?.runId ?? null });
  } finally {
    await session?.connected.close();
  }
}

async function serve({
  invocation,
  source,
  run,
}: {
  invocation: Invocation;
  source: ViewerSource;
  /** Run that the address opens; null for the list. */
  run: string | null;
}): Promise<number> {
  const { terminal, values } = invocation;
  const viewer = await listen({ source, port: values.count('port') ?? 0 });
  const url = run === null ? viewer.url : `${viewer.url}#/r/${run}`;
  if (values.on('json')) terminal.json({ schema: 'testgrad.view/1', url, port: viewer.port });
  else terminal.out(url);
  terminal.note('Open this address in a browser on this machine. Whoever has it can read these runs; Ctrl+C ends it.');
  await interrupted();
  await viewer.close();
  return 0;
}

async function listen({ source, port }: { source: ViewerSource; port: number }): Promise<Viewer> {
  const page = await builtPage();
  try {
    return await startViewer({ page, source, port });
  } catch (error) {
    throw new InputError({
      code: 'TG-I14',
      what: `--port ${port} cannot be had: ${(error as Error).message}`,
      meaning: 'The viewer was not started.',
      fix: 'Name another port, or none for a free one.',
      cause: error,
    });
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
}
