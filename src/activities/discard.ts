import { Context } from '@temporalio/activity';
import { removeTree } from '../sandbox/remove-tree.js';

/** Removes a throw-away folder. What cannot be removed stays and is logged: it must not cost the result beside it. */
export async function discard(dir: string): Promise<void> {
  try {
    await removeTree({ dir });
  } catch (error) {
    Context.current().log.warn('a throw-away folder stays', { dir, error });
  }
}
