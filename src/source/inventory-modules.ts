import { isTestPath } from '../core/test-paths.js';
import type { FileInventory } from './inventory-facts.js';

/** Folders that are often on the import path without being packages. */
const ROOTS = ['', 'src', 'lib', 'python'];
/** Parts of a dotted name that stand for help with testing, in product packages too: `django.test`, `sympy.testing`. */
const UTILITY = /^_?(testing|tests?|test_?(utils?|helpers?|tools?|support)|testsuite|conftest|pytester)$/;

/** True for a dotted module that lies in the tests of the repository. */
export const isTestModule = (module: string): boolean => isTestPath(`${module.replaceAll('.', '/')}/_.py`);

/** True for a module of a package's support for testing. */
export const isTestUtility = (module: string): boolean => module.split('.').some((part) => UTILITY.test(part));

/**
 * Where the repository may have a module, the likeliest first: below the usual roots, then below the folders around the
 * importing file, which a runner may put on the import path.
 */
function modulePaths({ module, from }: { readonly module: string; readonly from: string }): string[] {
  const path = module.replaceAll('.', '/');
  const folders = from.split('/').slice(0, -1);
  const around = folders.map((_, index) => folders.slice(0, folders.length - index).join('/'));
  return [...new Set([...ROOTS, ...around])].flatMap((root) => {
    const place = root === '' ? path : `${root}/${path}`;
    return [`${place}.py`, `${place}/__init__.py`];
  });
}

/** Where the repository has a package or module of its own by this top-level name; not below folders of tests. */
export const packagePaths = (name: string): string[] => modulePaths({ module: name, from: '' });

/** A definition with the file that holds it. */
export interface Place {
  readonly file: FileInventory;
  readonly definition: FileInventory['definitions'][number];
}

/** Finds what names stand for among the files that were read, and notes where to look for the others. */
export interface Resolver {
  readonly fileOf: (input: { readonly module: string; readonly from: string }) => FileInventory | null;
  /** Follows imports and re-exports to the definition of a module's member. */
  readonly member: (input: { readonly module: string; readonly name: string; readonly from: string }) => Place | null;
  /** Paths that were asked for and not read. */
  readonly missing: () => readonly string[];
}

const MOST_HOPS = 5;

/** A {@link Resolver} over files. */
export function resolverOf(files: readonly FileInventory[]): Resolver {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const missing = new Set<string>();
  const known = new Map<string, FileInventory | null>();
  const look: Resolver['fileOf'] = (input) => {
    const paths = modulePaths(input);
    const found = paths.find((path) => byPath.has(path));
    if (found === undefined) {
      for (const path of paths) {
        missing.add(path);
      }
    }
    return byPath.get(found ?? '') ?? null;
  };
  const fileOf: Resolver['fileOf'] = (input) => {
    const key = `${input.from}\n${input.module}`;
    const file = known.get(key);
    if (file !== undefined) return file;
    const found = look(input);
    known.set(key, found);
    return found;
  };
  const search = (input: { module: string; name: string; from: string; hops: number }): Place | null => {
    const { module, name, from, hops } = input;
    const file = fileOf({ module, from });
    if (file === null) {
      return null;
    }
    const definition = file.definitions.findLast((one) => one.name === name && one.within === '');
    if (definition !== undefined || hops >= MOST_HOPS) {
      return definition === undefined ? null : { file, definition };
    }
    for (const one of file.imports) {
      const isSame = one.bound === name && one.name !== null;
      if (isSame || one.name === '*') {
        const wanted = isSame ? (one.name ?? name) : name;
        const found = search({ module: one.module, name: wanted, from: file.path, hops: hops + 1 });
        if (found !== null || isSame) {
          return found;
        }
      }
    }
    return null;
  };
  return {
    fileOf,
    member: ({ module, name, from }) => search({ module, name, from, hops: 0 }),
    missing: () => [...missing],
  };
}
