import type { Invocation } from '../invocation.js';
export async function down(_: Invocation): Promise<number> {
  return 0;
}
