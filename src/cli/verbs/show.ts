import type { Invocation } from '../invocation.js';
export async function show(_: Invocation): Promise<number> {
  return 0;
}
