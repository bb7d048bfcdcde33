import type { MatrixRow } from '../core/matrix.js';
import { fileOf, qualifiedNameOf } from '../core/row.js';
import type { Suite } from '../core/suite.js';
import { indexTests } from '../source/test-index.js';
import { type BaseFiles, suiteText } from './base-files.js';
import { conftestPaths } from './inventory.js';
import type { Services } from './services.js';

/**
 * Where the tests of rows are defined, as `path name`: in their own file, or in the base class or mixin of a shared file
 * that their class inherits from. A test that is found nowhere counts as one of its own file.
 */
export async function testDefinitions({
  services,
  suite,
  base,
  rows,
}: {
  services: Services;
  suite: Suite;
  base: BaseFiles;
  rows: readonly MatrixRow[];
}): Promise<(testId: string) => string> {
  const names = new Map<string, ReadonlySet<string>>();
  const testFiles = [...new Set(rows.map(({ testId }) => fileOf(testId)))];
  for (const path of new Set([...testFiles, ...conftestPaths(testFiles)])) {
    const text = await suiteText({ services, suite, base, path });
    const found = text === null ? [] : await indexTests({ file: path, text });
    names.set(path, new Set(found.map(({ name }) => name)));
  }
  return (testId) => {
    const [file, name] = [fileOf(testId), qualifiedNameOf(testId)];
    const own = `${file} ${name}`;
    if (names.get(file)?.has(name) || !name.includes('::')) return own;
    const method = `::${name.split('::').at(-1)}`;
    for (const path of conftestPaths([file])) {
      const inherited = [...(names.get(path) ?? [])].find((each) => each.endsWith(method));
      if (inherited !== undefined) return `${path} ${inherited}`;
    }
    return own;
  };
}
