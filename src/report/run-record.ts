import type { ArtifactRef } from '../core/artifact.js';
import type { Decision } from '../core/decision.js';
import type { Momentum } from '../core/failure-memory.js';
import type { InstanceSpec } from '../core/instance.js';
import type { RunTrail } from '../core/loop-state.js';
import type { Matrix } from '../core/matrix.js';
import type { Suite } from '../core/suite.js';
import type { LlmRole } from '../core/usage.js';

/** A file of the suite before and after; null where it does not exist. */
export interface FileChange {
  /** Repository-relative, forward slashes. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** One suite of the run with the files that differ from the suite before it. */
export interface RecordedSuite {
  readonly suite: Suite;
  readonly changes: readonly FileChange[];
}

/** A finished run with everything loaded that its folder shows. */
export interface RunRecord {
  readonly decision: Decision;
  /** In the order of the steps. */
  readonly suites: readonly RecordedSuite[];
  readonly matrices: readonly Matrix[];
  readonly momenta: readonly Momentum[];
  readonly conversations: readonly { readonly role: LlmRole; readonly step: number; readonly conversation: unknown }[];
  readonly issue?: string;
  /** Usable candidates' changes as they were compared, without their test changes, by id. */
  readonly sourcePatches?: ReadonlyMap<string, Uint8Array>;
  /** The selected candidate's patch as it was given, in whatever encoding; null when none was selected. */
  readonly winnerPatch: Uint8Array | null;
  /** The files that hold the deciding tests, with those tests and what they need as the only changes. */
  readonly decidingFiles: readonly FileChange[];
}

/** A byte order mark stays, as it does in the base's text. */
const text = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Files of `suite` whose bytes differ from those of `previous`. */
async function changesBetween({
  previous,
  suite,
  read,
  readBase,
}: {
  previous: Suite | null;
  suite: Suite;
  read: (ref: ArtifactRef) => Promise<Uint8Array>;
  readBase: (path: string) => Promise<string | null>;
}): Promise<FileChange[]> {
  const versionOf = async (of: Suite | null, path: string): Promise<string | null> => {
    const ref = of?.files[path];
    return ref === undefined ? readBase(path) : text(await read(ref));
  };
  const paths = [...new Set([...Object.keys(previous?.files ?? {}), ...Object.keys(suite.files)])].sort();
  const changes: FileChange[] = [];
  for (const path of paths) {
    if (previous?.files[path]?.digest === suite.files[path]?.digest) {
      continue;
    }
    const before = await versionOf(previous, path);
    const after = await versionOf(suite, path);
    if (before !== after) {
      changes.push({ path, before, after });
    }
  }
  return changes;
}

/**
 * Loads what a run left in the store.
 *
 * `read` returns the bytes of an artifact and rejects when it is not there; `readBase` returns a file of the base
 * commit, or null where it has none. `decidingFiles` is worked out by the caller, who can edit test files.
 */
export async function loadRunRecord({
  decision,
  trail,
  instance,
  decidingFiles,
  read,
  readBase,
}: {
  decision: Decision;
  trail: RunTrail;
  instance: InstanceSpec;
  decidingFiles: readonly FileChange[];
  read: (ref: ArtifactRef) => Promise<Uint8Array>;
  readBase: (path: string) => Promise<string | null>;
}): Promise<RunRecord> {
  // The store holds what our own activities wrote under a digest; its shape is theirs to guarantee.
  const readJson = async <T>(ref: ArtifactRef): Promise<T> => JSON.parse(text(await read(ref))) as T;
  const suites: RecordedSuite[] = [];
  let previous: Suite | null = null;
  for (const ref of trail.suites) {
    const suite: Suite = await readJson<Suite>(ref);
    suites.push({ suite, changes: await changesBetween({ previous, suite, read, readBase }) });
    previous = suite;
  }
  const usable = decision.candidates.filter((candidate) => candidate.kind === 'usable');
  const sourcePatches = await Promise.all(
    usable.map(async ({ id, sourcePatch }) => [id, await read(sourcePatch)] as const),
  );
  const winner = instance.candidates.find((candidate) => candidate.id === decision.selectedId);
  return {
    decision,
    suites,
    matrices: await Promise.all(trail.matrices.map((ref) => readJson<Matrix>(ref))),
    momenta: await Promise.all(trail.momenta.map((ref) => readJson<Momentum>(ref))),
    conversations: await Promise.all(
      trail.conversations.map(async ({ role, step, conversation }) => ({
        role,
        step,
        conversation: await readJson<unknown>(conversation),
      })),
    ),
    issue: instance.issue,
    sourcePatches: new Map(sourcePatches),
    winnerPatch: winner === undefined ? null : await read(winner.patch),
    decidingFiles,
  };
}
