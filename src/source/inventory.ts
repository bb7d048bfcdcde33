import type { FileInventory } from './inventory-facts.js';
import { inventoryOfFile } from './inventory-file.js';
import { type Inventory, linkInventories } from './inventory-link.js';
import { packagePaths } from './inventory-modules.js';

export type { FileInventory } from './inventory-facts.js';
export { inventoryOfFile } from './inventory-file.js';
export type { Inventory } from './inventory-link.js';
export { renderInventory } from './inventory-render.js';

/** Rounds of looking for files that others name: an import, its re-export, the base behind it. */
const MOST_ROUNDS = 4;
/** Support files that are read beside the tests. */
const MOST_SUPPORT_FILES = 200;

/**
 * Collects the testing knowledge of test files in six aspects, with the number of uses; the same files give the same
 * inventory. No model and no clock takes part.
 *
 * `read` gives the text of a file by its path, or null where there is none. Beside the test files it is asked for every
 * `conftest.py` around them, for the modules of `pytest_plugins`, and for the test utilities and base classes that they
 * import, at most 200 files. An import is a project API when the repository has its top-level package, or when it is one
 * of `projectModules` (dotted names) or below. A file that does not parse is reported and skipped. `inventoryOf` may keep what it has read before.
 */
export async function buildInventory({
  testFiles,
  read,
  projectModules,
  inventoryOf = inventoryOfFile,
}: {
  readonly testFiles: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
  readonly projectModules: readonly string[];
  readonly inventoryOf?: (file: { readonly path: string; readonly text: string }) => Promise<FileInventory>;
}): Promise<Inventory> {
  const asked = new Set<string>();
  const readAll = async (paths: readonly string[]): Promise<FileInventory[]> => {
    const open = [...new Set(paths)].filter((path) => !asked.has(path));
    for (const path of open) {
      asked.add(path);
    }
    const texts = await Promise.all(open.map(async (path) => ({ path, text: await read(path) })));
    const found: FileInventory[] = [];
    for (const { path, text } of texts) {
      if (text !== null) {
        found.push(await inventoryOf({ path, text }));
      }
    }
    return found;
  };
  const tests = await readAll(testFiles);
  const support = await readAll(conftestsAround(testFiles));
  const own = await ownPackages({ files: tests, read });
  const modules = [...new Set([...projectModules, ...own])];
  for (let round = 1; ; round += 1) {
    const { inventory, missing } = linkInventories({ tests, support, projectModules: modules });
    const more = round < MOST_ROUNDS && support.length < MOST_SUPPORT_FILES ? await readAll(missing) : [];
    support.push(...more.slice(0, MOST_SUPPORT_FILES - support.length));
    if (more.length === 0) {
      return inventory;
    }
  }
}

/** Top-level names that files import and that the repository has itself. */
async function ownPackages({
  files,
  read,
}: {
  readonly files: readonly FileInventory[];
  readonly read: (path: string) => Promise<string | null>;
}): Promise<string[]> {
  const imports = files.flatMap((file) => file.imports.filter(({ isRelative }) => !isRelative));
  const names = [...new Set(imports.map(({ module }) => module.split('.')[0] ?? module))];
  const isOwn = await Promise.all(
    names.map(async (name) => (await Promise.all(packagePaths(name).map(read))).some((text) => text !== null)),
  );
  return names.filter((_, index) => isOwn[index]);
}

/** `conftest.py` of every folder on the way to the files, the root included. */
function conftestsAround(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) => {
    const parts = path.split('/').slice(0, -1);
    return ['', ...parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)];
  });
  return [...new Set(folders)].sort().map((folder) => `${folder}conftest.py`);
}
