import type { Invocation } from '../invocation.js';
export async function worker(_: Invocation): Promise<number> {
  return 0;
}
