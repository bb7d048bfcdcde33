import { requireFinished } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { printOutcome } from '../outcome.js';
import { homeFolder, openStore } from '../places.js';
import { findRun } from '../run-index.js';

/** `testgrad show RUN`: the decision of a finished run, from the store alone. */
export async function show(invocation: Invocation): Promise<number> {
  const home = homeFolder(invocation);
  const run = await findRun({ home, reference: invocation.argument ?? 'last' });
  const finished = await requireFinished({ store: await openStore(home), run });
  return printOutcome({ invocation, home, finished, uiUrl: null });
}
