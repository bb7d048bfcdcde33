import { stopLocalStack } from '../../workers/local-stack.js';
import type { Invocation } from '../invocation.js';
import { homeFolder } from '../places.js';

/** `testgrad down`: stops the local server and its workers; they are gone when it returns. */
export async function down(invocation: Invocation): Promise<number> {
  const { terminal, values } = invocation;
  const stopped = await stopLocalStack({ home: homeFolder(invocation), report: terminal.note });
  if (values.on('json')) {
    terminal.json({ schema: 'testgrad.stack/1', stopped });
    return 0;
  }
  const workers = `${stopped.workers} ${stopped.workers === 1 ? 'worker' : 'workers'}`;
  const parts = [
    ...(stopped.server ? ['the local Temporal server'] : []),
    ...(stopped.workers > 0 ? [workers] : []),
  ].join(' and ');
  terminal.out(
    parts === ''
      ? 'Nothing was running.'
      : `Stopped ${parts}. A run in work waits on disk: testgrad watch RUN goes on with it.`,
  );
  return 0;
}
