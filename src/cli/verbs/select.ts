import type { Invocation } from '../invocation.js';
export async function select(_: Invocation): Promise<number> {
  return 0;
}
