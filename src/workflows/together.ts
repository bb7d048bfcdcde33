import { CancellationScope } from '@temporalio/workflow';

/**
 * Does several things side by side and gives their results in their order.
 *
 * When one fails the others are cancelled, and the failure is thrown only when they have ended: whoever clears up after
 * it must not meet one that still works.
 */
export function together<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  return CancellationScope.cancellable(async () => {
    const scope = CancellationScope.current();
    const running = tasks.map((task) => task());
    try {
      return await Promise.all(running);
    } catch (error) {
      scope.cancel();
      await Promise.allSettled(running);
      throw error;
    }
  });
}
