import { renderMarkdown } from '../../report/markdown-report.js';
import { reportOf, requireFinished } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { copyRunFolder } from '../outcome.js';
import { homeFolder, openStore } from '../places.js';
import { findRun } from '../run-index.js';

/** `testgrad report RUN`: the Markdown report on standard output, rendered from the store. */
export async function report(invocation: Invocation): Promise<number> {
  const { terminal, values } = invocation;
  const home = homeFolder(invocation);
  const run = await findRun({ home, reference: invocation.argument ?? 'last' });
  const finished = await requireFinished({ store: await openStore(home), run });
  const markdown = renderMarkdown(reportOf(finished));
  const folder = await copyRunFolder({ invocation, home, runId: run.runId });
  if (values.on('json')) {
    terminal.json({ schema: 'testgrad.report/1', run: run.runId, folder, markdown });
  } else {
    terminal.out(markdown);
    if (folder !== null) terminal.note(`All files of the run: ${folder}`);
  }
  return 0;
}
