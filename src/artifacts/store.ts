import type { ArtifactRef } from '../core/artifact.js';

/** Name of a binding, a marker or a ledger: any text; `kind` groups keys of one meaning, e.g. `outcome`. */
export interface StoreKey {
  readonly kind: string;
  readonly key: string;
}

/**
 * Content-addressed bytes, and names for them. It is the truth about what is already done: whatever it acknowledged
 * survives a kill or a power loss, and everything in it is complete or absent.
 *
 * Safe for several processes at one time. Every method rejects with TG-E03 when the disk is full.
 */
export interface ArtifactStore {
  /** Keeps `bytes`; the same bytes again are kept once, and a damaged copy of them is healed. */
  put(artifact: { readonly bytes: Uint8Array; readonly mediaType: string }): Promise<ArtifactRef>;

  /** The bytes, verified against their digest. Rejects with TG-R07 when they are missing or damaged. */
  get(ref: { readonly digest: string }): Promise<Uint8Array>;

  /** True when an object is there; it is not verified. */
  has(ref: { readonly digest: string }): Promise<boolean>;

  /**
   * Names an artifact, once and for all: the first writer wins, and everyone gets the winner's reference.
   * Rejects with TG-R07 when the artifact was not put before, as that name could never be corrected.
   */
  bind(
    binding: StoreKey & { readonly ref: ArtifactRef },
  ): Promise<{ readonly ref: ArtifactRef; readonly created: boolean }>;

  /** What the name is bound to, or undefined. */
  lookup(name: StoreKey): Promise<ArtifactRef | undefined>;

  /** Adds one line, without a line break in it, to an append-only ledger; durable when the promise resolves. */
  appendLedger(entry: { readonly key: string; readonly line: string }): Promise<void>;

  /** All complete lines in the order written, none for an unknown ledger; a line torn by a crash is left out. */
  readLedger(ledger: { readonly key: string }): Promise<string[]>;

  /** Leaves a durable mark, for work that must not start twice unnoticed; false when the mark was there already. */
  createMarker(name: StoreKey): Promise<boolean>;
}
