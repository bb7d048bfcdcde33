import { InputError } from '../../errors.js';
import { shortRunId } from '../../report/short-run-id.js';
import { askRun } from '../benchmark/ask.js';
import { widthOf } from '../benchmark/start-benchmark.js';
import type { Invocation } from '../invocation.js';

/** `testgrad resume RUN`: lets a paused run go on; with -w it changes how many instances are in work at a time. */
export async function resume(invocation: Invocation): Promise<number> {
  const { terminal, values } = invocation;
  const width = widthOf(invocation);
  const { runId } = await askRun({
    invocation,
    ask: async ({ handle, record }) => {
      if (width !== undefined && record.kind !== 'bench') throw oneInstance();
      if (width !== undefined) await handle.executeUpdate('setWidth', { args: [{ width }] });
      await handle.executeUpdate('resume');
    },
  });
  const short = shortRunId(runId);
  if (values.on('json'))
    terminal.json({ schema: 'testgrad.resume/1', run: runId, paused: false, width: width ?? null });
  else
    terminal.out(
      `Run ${short} goes on${width === undefined ? '' : `, ${width} instances at a time`}: testgrad watch ${short}`,
    );
  return 0;
}

function oneInstance(): InputError {
  return new InputError({
    code: 'TG-I14',
    what: '--width is for benchmarks: this run has one instance.',
    meaning: 'Nothing was changed.',
    fix: 'Leave it out.',
  });
}
