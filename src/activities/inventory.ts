import type { Suite } from '../core/suite.js';
import { buildInventory, type Inventory } from '../source/inventory.js';
import { type BaseFiles, suiteText } from './base-files.js';
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
  const folders = new Set(['']);
  for (const file of testFiles) {
    const parts = file.split('/').slice(0, -1);
    for (let depth = 1; depth <= parts.length; depth += 1) folders.add(`${parts.slice(0, depth).join('/')}/`);
  }
  return [...folders].sort().flatMap((folder) => [`${folder}conftest.py`, `${folder}__init__.py`]);
}
