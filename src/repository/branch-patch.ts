import { withBorrowedObjects } from './bare-repository.js';
import { mergeBase, resolveCommit } from './resolve-commit.js';
import { diffTrees } from './tree-diff.js';

/**
 * A branch as a candidate: what `ref` changed since it left `base`, as a patch (`base...ref`). Uncommitted changes are no
 * part of it; an empty patch when the branch changed nothing.
 *
 * A moved file is a deletion and an addition, so that the patch applies with every tool. TG-I16 for unknown names,
 * TG-I19 when objects are missing.
 */
export async function branchPatch({
  repoDir,
  base,
  ref,
}: {
  repoDir: string;
  base: string;
  ref: string;
}): Promise<Uint8Array> {
  const from = await mergeBase({ repoDir, refs: [base, ref] });
  const to = await resolveCommit({ repoDir, name: ref });
  return withBorrowedObjects({
    repoDir,
    work: ({ gitDir, borrowFrom }) => diffTrees({ gitDir, borrowFrom, from, to, renames: false }),
  });
}
