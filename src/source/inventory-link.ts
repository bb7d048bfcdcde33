import { isCheck } from './inventory-assertions.js';
import type { FileInventory, ImportFact } from './inventory-facts.js';
import { requestUses } from './inventory-link-fixtures.js';
import { importedUses } from './inventory-link-imports.js';
import { type Resolver, resolverOf } from './inventory-modules.js';
import { type InventoryEntry, tally, type Use } from './inventory-tally.js';

/** What the test files of a repository offer for reuse; plain data. */
export interface Inventory {
  /** Within an aspect the most used first. */
  readonly entries: readonly InventoryEntry[];
  /** Files that were left out. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

/**
 * Joins what files know into one inventory: names of the test files are followed through imports, re-exports, every
 * `conftest.py` around them and `pytest_plugins` to the `support` file that defines them.
 *
 * `missing` are paths that may hold more of it: where the repository has one, linking again with it tells more.
 */
export function linkInventories({
  tests,
  support,
  projectModules,
}: {
  readonly tests: readonly FileInventory[];
  readonly support: readonly FileInventory[];
  readonly projectModules: readonly string[];
}): { readonly inventory: Inventory; readonly missing: readonly string[] } {
  const all = [...tests, ...support.filter(({ path }) => !tests.some((test) => test.path === path))];
  const resolver = resolverOf(all);
  const uses = tests.flatMap((file): Use[] => {
    const imported = importedUses({ file, resolver, projectModules });
    return [...imported, ...plainUses({ file, projectModules }), ...localUses(file), ...baseUses({ file, resolver })];
  });
  const fixtures = requestUses({ tests, support: all.slice(tests.length), resolver });
  const skipped = all.flatMap(({ path, problem }) => (problem === null ? [] : [{ file: path, reason: problem }]));
  return { inventory: { entries: tally([...uses, ...fixtures]), skipped }, missing: resolver.missing() };
}

/** Uses that need no other file; a decorator says where it comes from. */
function plainUses({ file, projectModules }: { file: FileInventory; projectModules: readonly string[] }): Use[] {
  return file.uses.map(({ aspect, symbol, line, count, detail }) => {
    const origin = symbol.startsWith('@') ? importOf({ file, name: symbol.slice(1) }) : undefined;
    const module = origin?.name == null ? undefined : origin.symbol.slice(0, -origin.name.length - 1);
    const isTold = module !== undefined && (origin?.isRelative || projectModules.includes(module.split('.')[0] ?? ''));
    const said = [detail ?? '', isTold ? `from ${module === '' ? '.' : module}` : ''].filter(Boolean).join(' ');
    return { aspect, key: symbol, symbol, file: file.path, line, count, detail: said, isDefinition: false };
  });
}

/** Helpers that the file defines, and those that assert as its own ways of asserting. */
function localUses(file: FileInventory): Use[] {
  return file.definitions.flatMap(({ name, kind, line, count, usedLine, detail, asserts }): Use[] => {
    const isMethod = name.includes('.');
    if (kind === 'fixture' || kind === 'tests' || (isMethod && count === 0)) {
      return [];
    }
    const key = `${file.path}::${name}`;
    const at = { key, symbol: name, file: file.path };
    const used = { ...at, line: usedLine, count, isDefinition: false };
    const last = name.slice(name.lastIndexOf('.') + 1);
    return [
      { ...at, aspect: 'helper', line, count: 0, detail, isDefinition: true },
      ...(count > 0 ? [{ ...used, aspect: 'helper' as const }] : []),
      ...(count > 0 && asserts && kind === 'function' && !isCheck(last)
        ? [{ ...used, aspect: 'assertion' as const, symbol: isMethod ? `self.${last}` : name, detail }]
        : []),
    ];
  });
}

/** Bases of test classes, with the module or the file that they come from. */
function baseUses({ file, resolver }: { file: FileInventory; resolver: Resolver }): Use[] {
  return file.bases.flatMap(({ symbol, line }): Use[] => {
    const use = { aspect: 'base-class' as const, symbol, file: file.path, line, count: 1, isDefinition: false };
    const local = file.definitions.findLast(({ name, kind }) => name === symbol && kind !== 'fixture');
    const origin = local === undefined ? importOf({ file, name: symbol }) : undefined;
    const parts = symbol.split('.');
    const name = origin?.name ?? parts.at(-1) ?? symbol;
    const module =
      origin === undefined ? '' : [origin.module, ...(origin.name === null ? parts.slice(1, -1) : [])].join('.');
    const place =
      local !== undefined
        ? { file, definition: local }
        : origin === undefined || parts.length > (origin.name === null ? parts.length : 1)
          ? null
          : resolver.member({ module, name, from: file.path });
    const from =
      origin?.name == null ? '' : `from ${origin.symbol.slice(0, -origin.name.length).replace(/(.)\.$/, '$1')}`;
    if (place === null) {
      return [{ ...use, key: `${module}.${name}`, detail: from }];
    }
    const key = `${place.file.path}::${place.definition.name}`;
    const { line: definedLine } = place.definition;
    return [
      { ...use, key, detail: from },
      { ...use, key, file: place.file.path, line: definedLine, count: 0, detail: from, isDefinition: true },
    ];
  });
}

/** The import that binds the first part of a dotted name. */
function importOf({ file, name }: { file: FileInventory; name: string }): ImportFact | undefined {
  const first = name.split(/[.(]/)[0];
  return file.imports.findLast(({ bound }) => bound === first);
}
