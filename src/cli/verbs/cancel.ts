import type { Invocation } from '../invocation.js';
export async function cancel(_: Invocation): Promise<number> {
  return 0;
}
