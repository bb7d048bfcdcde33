import type { Invocation } from '../invocation.js';
export async function up(_: Invocation): Promise<number> {
  return 0;
}
