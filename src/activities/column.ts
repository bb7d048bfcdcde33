import { contentKey } from '../artifacts/content-key.js';
import { getText, putText } from '../artifacts/values.js';
import type { UsableCandidate } from '../core/candidate.js';
import type { InstanceSpec } from '../core/instance.js';
import type { ColumnSpec } from '../core/loop-state.js';
import { SandboxError } from '../errors.js';
import type { SandboxOwner } from '../sandbox/sandbox.js';
import { columnImage } from './image-column.js';
import type { Services } from './services.js';
import { SetUpFailure, setUpStep } from './set-up.js';
import { columnTree } from './workspace.js';

/** A column's tree with the user's set-up, or why a candidate has none. */
export type Column =
  | {
      readonly kind: 'ready';
      readonly tree: string;
      /** Id of the image that holds the tree, with the set-up done in it; null without Docker. */
      readonly image: string | null;
    }
  | { readonly kind: 'not-set-up'; readonly reason: string };

/**
 * Makes a column's tree on this host. A set-up that fails on a candidate is the candidate's own failure, and known from
 * then on when it is a lasting one; on the base it throws SandboxError TG-S10.
 */
export async function openColumn({
  services,
  instance,
  column,
  candidate,
  owner,
  signal,
}: {
  services: Services;
  instance: InstanceSpec;
  column: ColumnSpec;
  /** Null for the base. */
  candidate: UsableCandidate | null;
  owner: SandboxOwner;
  signal: AbortSignal;
}): Promise<Column> {
  const { store } = services;
  const setUp = setUpStep({ services, instance, owner, signal });
  const failure = { kind: 'set-up-failure', key: contentKey({ treeId: column.treeId, setUp: setUp?.key ?? null }) };
  const known = candidate === null || setUp === null ? undefined : await store.lookup(failure);
  if (known !== undefined) return { kind: 'not-set-up', reason: await getText({ store, ref: known }) };
  try {
    if (instance.environment.sandbox !== 'docker') {
      return { kind: 'ready', tree: await columnTree({ services, instance, column, candidate, setUp }), image: null };
    }
    const tree = await columnTree({ services, instance, column, candidate, setUp: null });
    return { kind: 'ready', tree, image: await columnImage({ instance, tree, owner, signal }) };
  } catch (error) {
    if (!(error instanceof SetUpFailure)) throw error;
    const { message, reason, lasting } = error;
    if (candidate === null) throw failsOnBase(message);
    if (lasting) await store.bind({ ...failure, ref: await putText({ store, text: reason }) });
    return { kind: 'not-set-up', reason };
  }
}

function failsOnBase(what: string): SandboxError {
  return new SandboxError({
    code: 'TG-S10',
    what,
    meaning: 'It runs once in each candidate tree, without network. No test was run, nothing was spent.',
    fix: 'Mend --setup, or prepare the environment beforehand and leave it out.',
  });
}
