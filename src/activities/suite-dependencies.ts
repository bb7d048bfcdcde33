import { contentKey } from '../artifacts/content-key.js';
import type { InstanceSpec } from '../core/instance.js';
import type { Suite } from '../core/suite.js';
import { type ScannedImport, scanImports } from '../source/import-scan.js';
import { materialisedBase, suiteText } from './base-files.js';
import { basePaths, foldersAbove } from './base-paths.js';
import { placesOfImport } from './import-places.js';
import { conftestPaths } from './inventory.js';
import type { Services } from './services.js';

const TEST_MODULE = /(?:^|\/)(test_[^/]*|[^/]*_test|tests)\.py$/;
/** Folders that are often on the import path without being packages. */
const ROOTS = ['', 'src', 'lib', 'python'];
/** Files looked into for one test file; one that reaches more is taken to depend on everything. */
const MAX_FILES = 3_000;
/** Answers remembered; a run asks for some dozens. */
const MAX_KNOWN = 2_000;

interface Where {
  readonly services: Services;
  readonly instance: InstanceSpec;
  readonly suite: Suite;
  /** The test file. */
  readonly file: string;
}

/**
 * The edited files of the suite that the outcome of a test file may depend on: itself, all that are no test modules,
 * and those test modules that it imports, directly or through other files of the repository. So an edit of one test
 * module does not let the others run again.
 *
 * In doubt a file is one: when a string in a reached file names it, or when a link or more files than can be looked
 * into stand on the way. Reached through the base: product code that a candidate wrote is not where test modules are
 * imported from.
 */
export async function suiteDependencies(where: Where): Promise<string[]> {
  const { suite, file } = where;
  const edited = Object.keys(suite.files);
  const modules = edited.filter((path) => path !== file && TEST_MODULE.test(path));
  if (modules.length === 0) return edited;
  const named = await knownNames(where);
  if (named === null) return edited;
  const isNamed = (path: string): boolean => {
    const name = TEST_MODULE.exec(path)?.[1] ?? '';
    return !/^\w+$/.test(name) || named.has(name);
  };
  return edited.filter((path) => !modules.includes(path) || isNamed(path));
}

const known = new Map<string, Promise<ReadonlySet<string> | null>>();

/** The same for every column, so that it is found out once. */
function knownNames(where: Where): Promise<ReadonlySet<string> | null> {
  const { instance, suite, file } = where;
  const { repository, environment } = instance;
  const files = Object.fromEntries(Object.entries(suite.files).map(([path, { digest }]) => [path, digest]));
  const key = contentKey({ treeId: repository.treeId, pythonPath: environment.pythonPath, files, file });
  if (known.size > MAX_KNOWN) known.clear();
  const asked = known.get(key);
  if (asked !== undefined) return asked;
  const asking = namesReached(where);
  known.set(key, asking);
  asking.catch(() => known.delete(key));
  return asking;
}

/** Names of test modules that a test file and all that it imports mention; null in doubt. */
async function namesReached({ services, instance, suite, file }: Where): Promise<ReadonlySet<string> | null> {
  const base = await materialisedBase({ services, instance });
  const tree = await basePaths({ services, instance, more: Object.keys(suite.files) });
  const importPath = [...ROOTS, ...instance.environment.pythonPath.map(plainFolder)];
  const names = new Set<string>();
  const reached = new Set([file, ...conftestPaths([file]).filter((path) => tree.entries.has(path))]);
  for (const path of reached) {
    const text = await suiteText({ services, suite, base, path });
    if (text === null || reached.size > MAX_FILES) return null;
    const imports = scanImports({ path, text });
    for (const name of testModulesNamed({ imports, text })) names.add(name);
    const roots = [...new Set([...importPath, ...foldersAbove(path)])];
    for (const { places, isCertain } of imports.map((one) => placesOfImport({ one, roots, tree }))) {
      if (!isCertain) return null;
      for (const place of places) reached.add(place);
    }
  }
  return names;
}

/** Test modules that imports and strings name, without their folders. */
function testModulesNamed({ imports, text }: { imports: readonly ScannedImport[]; text: string }): string[] {
  const imported = imports.flatMap(({ module, names }) => [module.slice(module.lastIndexOf('.') + 1), ...names]);
  const strings = [...text.matchAll(/(["'])((?:(?!\1)[^\n\\]|\\.)*)\1/g)].map(([, , inner = '']) => inner);
  const quoted = strings.flatMap((inner) => inner.match(/\w+/g) ?? []);
  return [...imported, ...quoted].filter((name) => TEST_MODULE.test(`${name}.py`));
}

const plainFolder = (folder: string): string => folder.replace(/^(\.\/)+|^\.$|\/+$/g, '');
