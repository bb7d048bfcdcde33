import { NO_USAGE } from '../../core/usage.js';
import type { MethodInput, MethodResult } from '../method.js';

/**
 * The candidate with this index, whatever it is: what one agent by itself is worth. An empty patch stays selected, as
 * the agent has no other. Throws a RangeError for an index outside of the candidates, which is a defect of the caller.
 */
export function selectSingle({ input, index }: { input: MethodInput; index: number }): MethodResult {
  const own = input.candidates[index];
  if (own === undefined) throw new RangeError(`no candidate with index ${index} among ${input.candidates.length}`);
  const reason = `Always the candidate of ${own.agent}.`;
  return { method: 'single', index, reason, evidence: [], usage: NO_USAGE, fallback: null, conversations: [] };
}
