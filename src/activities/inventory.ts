import { digestOf } from '../artifacts/content-key.js';
import type { Suite } from '../core/suite.js';
import { buildInventory, type FileInventory, type Inventory, inventoryOfFile } from '../source/inventory.js';
import { type BaseFiles, suiteText } from './base-files.js';
import { foldersAbove } from './base-paths.js';
import type { Prepared } from './documents.js';
import type { Services } from './services.js';

/** Files whose inventory is remembered; some tens of kilobytes each. */
const FILES_KEPT = 500;

export type { Inventory } from '../source/inventory.js';

/** The repository's testing knowledge in its six aspects, from the suite's relevant test files and what they build on. */
export async function inventoryOf({
  services,
  prepared,
  suite,
  base,
}: {
  services: Services;
  prepared: Prepared;
  suite: Suite;
  base: BaseFiles;
}): Promise<Inventory> {
  return buildInventory({
    testFiles: suite.testFiles,
    read: (path) => suiteText({ services, suite, base, path }),
    projectModules: prepared.probeModules,
    inventoryOf: knownInventory,
  });
}

const known = new Map<string, Promise<FileInventory>>();

/** What a file holds depends on its path and text alone: most of the suite is the same in every prompt. */
function knownInventory({ path, text }: { path: string; text: string }): Promise<FileInventory> {
  const key = `${path}\n${digestOf(text)}`;
  const asked = known.get(key) ?? inventoryOfFile({ path, text });
  // Asked for last is thrown out last.
  known.delete(key);
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  for (const oldest of known.keys()) {
    if (known.size <= FILES_KEPT) break;
    known.delete(oldest);
  }
  return asked;
}

/** `conftest.py` and `__init__.py` of every folder on the way to the test files: fixtures and shared helpers live there. */
export function conftestPaths(testFiles: readonly string[]): string[] {
  const prefixes = testFiles.flatMap(foldersAbove).map((folder) => (folder === '' ? '' : `${folder}/`));
  return [...new Set(['', ...prefixes])].sort().flatMap((prefix) => [`${prefix}conftest.py`, `${prefix}__init__.py`]);
}
