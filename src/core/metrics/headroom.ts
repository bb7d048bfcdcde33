/**
 * Share of the room between the best agent and the oracle that a method takes: (rate − best) / (oracle − best). 1 is the
 * oracle, 0 the best agent by itself, negative is worse than it; null when the best agent is the oracle.
 *
 * Source: derived from the paper's table, where 84.2 between 79.2 and 87.0 is 64 %.
 */
export function headroomCaptured({
  rate,
  best,
  oracle,
}: {
  rate: number;
  best: number;
  oracle: number;
}): number | null {
  return oracle === best ? null : (rate - best) / (oracle - best);
}
