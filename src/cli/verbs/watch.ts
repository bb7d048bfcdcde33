import type { Invocation } from '../invocation.js';
export async function watch(_: Invocation): Promise<number> {
  return 0;
}
