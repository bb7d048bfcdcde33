import type { Suite } from '../core/suite.js';
import { buildInventory, type Inventory } from '../source/inventory.js';
import { type BaseFiles, suiteText } from './base-files.js';
import { foldersAbove } from './base-paths.js';
import type { Prepared } from './documents.js';
import type { Services } from './services.js';

export type { Inventory } from '../source/inventory.js';

/** The repository's testing knowledge in its six aspects, from the suite's relevant test files and their conftests. */
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
  const read = async (path: string) => ({ path, text: (await suiteText({ services, suite, base, path })) ?? '' });
  const files = await Promise.all(suite.testFiles.map(read));
  const conftests = (await Promise.all(conftestPaths(suite.testFiles).map(read))).filter(({ text }) => text !== '');
  return buildInventory({ files, conftests, projectModules: prepared.probeModules });
}

/** `conftest.py` and `__init__.py` of every folder on the way to the test files: fixtures and shared helpers live there. */
export function conftestPaths(testFiles: readonly string[]): string[] {
  const prefixes = testFiles.flatMap(foldersAbove).map((folder) => (folder === '' ? '' : `${folder}/`));
  return [...new Set(['', ...prefixes])].sort().flatMap((prefix) => [`${prefix}conftest.py`, `${prefix}__init__.py`]);
}
