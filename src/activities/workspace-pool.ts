import { access } from 'node:fs/promises';
import { sep } from 'node:path';

/** Copies of trees that wait for their next execution, in this process only. */
export interface WorkspacePool {
  /** A waiting copy of this kind, which then belongs to the caller; null for none. */
  readonly take: (key: string) => Promise<string | null>;
  /** Keeps a copy for later. Returns the one that gives way to it, for the caller to remove; null for none. */
  readonly keep: (entry: { readonly key: string; readonly dir: string }) => string | null;
  /** Forgets all copies below a folder that is about to be removed. */
  readonly forget: (folder: string) => void;
}

/** Makes an empty pool. `maxIdle` bounds the disk: beyond it the copy that waits longest gives way. */
export function createWorkspacePool({ maxIdle }: { maxIdle: number }): WorkspacePool {
  let idle: { readonly key: string; readonly dir: string }[] = [];
  return {
    take: async (key) => {
      const found = idle.findLast((entry) => entry.key === key);
      if (found === undefined) return null;
      idle = idle.filter((entry) => entry !== found);
      // Another worker may have released the run.
      return access(found.dir).then(
        () => found.dir,
        () => null,
      );
    },
    keep: (entry) => {
      idle.push(entry);
      return idle.length > maxIdle ? (idle.shift()?.dir ?? null) : null;
    },
    forget: (folder) => {
      idle = idle.filter(({ dir }) => !dir.startsWith(folder + sep));
    },
  };
}
