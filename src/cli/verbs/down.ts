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
  terminal.out(
    stopped.server || stopped.workers > 0
      ? `Stopped ${stopped.server ? 'the local Temporal server and ' : ''}${workers}. Runs in work go on with testgrad up.`
      : 'Nothing was running.',
  );
  return 0;
}
