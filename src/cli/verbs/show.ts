import { notFinished } from '../benchmark/find.js';
import { findFinishedBenchmark, printBenchmark } from '../benchmark/finish.js';
import { showInstance } from '../benchmark/show-instance.js';
import { requireFinished } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { printOutcome } from '../outcome.js';
import { homeFolder, openStore } from '../places.js';
import { findRun } from '../run-index.js';
import { shownRun, showPart } from '../show-part.js';

/**
 * `testgrad show RUN[/INSTANCE[/METHOD]][/PART]`: the decision of a finished run, the tables of a benchmark, the selection
 * on one of its instances, or a step (`yK`), test or candidate of a selection; from the store and the run's folder alone.
 */
export async function show(invocation: Invocation): Promise<number> {
  const home = homeFolder(invocation);
  const [reference = 'last', ...rest] = (invocation.argument ?? 'last').split('/');
  const part = rest.join('/');
  const run = await findRun({ home, reference });
  const store = await openStore(home);
  if (run.kind === 'bench') {
    if (part !== '') return showInstance({ invocation, home, store, run, path: part });
    const end = await findFinishedBenchmark({ store, runId: run.runId });
    if (end === null) throw notFinished(run);
    return printBenchmark({ invocation, home, store, record: run, end });
  }
  const finished = await requireFinished({ store, run });
  if (part !== '') return showPart({ invocation, home, store, of: shownRun(run), finished, part });
  return printOutcome({ invocation, home, finished, uiUrl: null });
}
