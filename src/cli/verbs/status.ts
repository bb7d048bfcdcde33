import type { Invocation } from '../invocation.js';
export async function status(_: Invocation): Promise<number> {
  return 0;
}
