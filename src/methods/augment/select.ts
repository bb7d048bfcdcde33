import type { ArtifactRef } from '../../core/artifact.js';
import { seededShuffle } from '../../core/random.js';
import type { Usage } from '../../core/usage.js';
import type { MethodInput, MethodResult } from '../method.js';
import { settle, withoutChoice } from '../settle.js';

/** What Augment's ensembler needs from outside. */
export interface AugmentPorts {
  /** Shows the patches as given, in this order, and returns the number in the answer, from 1; null without one. */
  ensemble(input: { readonly order: readonly number[] }): Promise<{
    readonly number: number | null;
    readonly conversation: ArtifactRef;
    readonly usage: Usage;
  }>;
}

/**
 * Augment: one call of a model that compares all patches and names an example of the majority's approach. Nothing is
 * executed, filtered or repeated.
 *
 * Published behaviour: all patches, empty ones too, in the order given. `shuffleSeed` shows them in a seeded order
 * instead; null (default) keeps the order. Where the answer names none, the first usable candidate is taken and the
 * result says so: the published script exports nothing then.
 */
export async function selectByAugment({
  input,
  ports,
  shuffleSeed = null,
}: {
  input: MethodInput;
  ports: AugmentPorts;
  shuffleSeed?: number | null;
}): Promise<MethodResult> {
  const { candidates } = input;
  const settled = withoutChoice({ method: 'augment', candidates });
  if (settled !== null) return settled;
  const given = candidates.map((_, index) => index);
  const order = shuffleSeed === null ? given : seededShuffle({ items: given, seed: shuffleSeed });
  const { number, conversation, usage } = await ports.ensemble({ order });
  const wanted = number === null ? null : (order[number - 1] ?? null);
  const why =
    number === null
      ? 'The answer holds no number.'
      : wanted === null
        ? `The answer names solution ${number} of ${order.length}.`
        : 'The answer names a patch that cannot be used.';
  const { index, fallback } = settle({ wanted, candidates, why });
  return {
    method: 'augment',
    index,
    reason: fallback ?? `The model named solution ${number} of ${order.length} as one of the majority's approach.`,
    evidence: [],
    usage,
    fallback,
    conversations: [conversation],
  };
}
