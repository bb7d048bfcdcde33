import type { ScannedImport } from '../source/import-scan.js';
import type { TreePaths } from './base-paths.js';

/**
 * The files of a tree that an import may run: modules of that name below any of the roots, names taken from a package
 * that are modules of it, and the `__init__.py` of the packages on the way. None for what is installed.
 *
 * `isCertain` is false when a link or a submodule stands on the way, behind which nothing is known.
 */
export function placesOfImport({
  one,
  roots,
  tree,
}: {
  one: ScannedImport;
  roots: readonly string[];
  tree: TreePaths;
}): { readonly places: readonly string[]; readonly isCertain: boolean } {
  const places: string[] = [];
  let isCertain = true;
  /** The folder that a part of the name stands for in another one, or null. */
  const enter = ({ folder, name }: { folder: string; name: string }): string | null => {
    const path = folder === '' ? name : `${folder}/${name}`;
    const files = [`${path}.py`, `${path}/__init__.py`];
    places.push(...files.filter((file) => tree.entries.has(file)));
    if (tree.entries.has(path)) isCertain = false;
    return tree.folders.has(path) ? path : null;
  };
  for (const root of roots) {
    let folder: string | null = root;
    for (const name of one.module.split('.').filter(Boolean)) {
      folder = folder === null ? null : enter({ folder, name });
    }
    if (folder === null) continue;
    for (const name of one.names) enter({ folder, name });
  }
  return { places, isCertain };
}
