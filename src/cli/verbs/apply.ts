import type { Invocation } from '../invocation.js';
export async function apply(_: Invocation): Promise<number> {
  return 0;
}
