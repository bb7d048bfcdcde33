import type { ArtifactRef } from '../../core/artifact.js';
import type { AgentReport } from './input-report.js';
import type { PatchForm } from './patch-form.js';

/** What one agent has for one instance. */
export type CandidateSlot =
  | { readonly kind: 'patch'; readonly patch: ArtifactRef; readonly form: Exclude<PatchForm, 'empty'> }
  | { readonly kind: 'empty' }
  | { readonly kind: 'missing' };

interface Read {
  slot: CandidateSlot;
  readonly places: string[];
  same: boolean;
}

/** Gathers the predictions of one agent by instance; later ones replace earlier ones, as in the SWE-bench harness. */
export class AgentSlots {
  readonly #read = new Map<string, Read>();

  /** Takes a prediction. */
  add({ instanceId, slot, place }: { instanceId: string; slot: CandidateSlot; place: string }): void {
    const known = this.#read.get(instanceId);
    if (known === undefined) {
      this.#read.set(instanceId, { slot, places: [place], same: true });
      return;
    }
    known.same &&= digestOf(known.slot) === digestOf(slot);
    known.slot = slot;
    known.places.push(place);
  }

  /** What the agent has for an instance. */
  slot(instanceId: string): CandidateSlot {
    return this.#read.get(instanceId)?.slot ?? { kind: 'missing' };
  }

  /** What was found, for the chosen instances. */
  report({ agent, chosen }: { agent: string; chosen: readonly string[] }): AgentReport {
    const slots = chosen.map((instanceId) => ({ instanceId, slot: this.slot(instanceId) }));
    const idsOf = (test: (slot: CandidateSlot) => boolean): string[] =>
      slots.filter(({ slot }) => test(slot)).map(({ instanceId }) => instanceId);
    const idsWith = (form: PatchForm): string[] => idsOf((slot) => slot.kind === 'patch' && slot.form === form);
    return {
      agent,
      patches: idsOf(({ kind }) => kind === 'patch').length,
      missing: idsOf(({ kind }) => kind === 'missing'),
      empty: idsOf(({ kind }) => kind === 'empty'),
      duplicates: chosen.flatMap((instanceId) => {
        const read = this.#read.get(instanceId);
        return read === undefined || read.places.length < 2
          ? []
          : [{ instanceId, places: read.places, same: read.same }];
      }),
      fenced: idsWith('fenced'),
      prose: idsWith('prose'),
      noDiff: idsWith('no-diff'),
    };
  }
}

const digestOf = (slot: CandidateSlot): string => (slot.kind === 'patch' ? slot.patch.digest : slot.kind);
