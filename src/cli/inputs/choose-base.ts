import { mergeBase } from '../../repository/resolve-commit.js';
import { splitName } from './read-candidates.js';

/**
 * The commit that candidates start from: --base, else where the branches left each other (one branch: where it left
 * HEAD), else HEAD. Throws TG-I16 for unknown names and for branches that have nothing in common.
 */
export async function chooseBase({
  given,
  branches,
  repoDir,
}: {
  given: string | undefined;
  branches: readonly string[];
  repoDir: string;
}): Promise<string> {
  if (given !== undefined) return given;
  const refs = branches.map((branch) => splitName({ given: branch, isValue: () => false }).value);
  if (refs.length === 0) return 'HEAD';
  return mergeBase({ repoDir, refs: refs.length === 1 ? [...refs, 'HEAD'] : refs });
}
