import { isCheck } from './inventory-assertions.js';
import type { FileInventory, ImportFact } from './inventory-facts.js';
import { isTestModule, isTestUtility, type Place, type Resolver } from './inventory-modules.js';
import type { Use } from './inventory-tally.js';

/** Parts of a chain behind a module that may name a submodule, when none is written like a class. */
const MOST_PARTS = 2;

/**
 * Uses of imported names in a test file: project APIs, and helpers where the module belongs to the tests or to a
 * package's support for testing. What such a module offers beside them comes with no uses.
 */
export function importedUses({
  file,
  resolver,
  projectModules,
}: {
  readonly file: FileInventory;
  readonly resolver: Resolver;
  readonly projectModules: readonly string[];
}): Use[] {
  return file.imports.flatMap((fact): Use[] => {
    const isProject = fact.isRelative || projectModules.some((name) => `${fact.module}.`.startsWith(`${name}.`));
    const isTests = [fact.module, `${fact.module}.${fact.name ?? ''}`].some(
      (module) => isTestModule(module) || (isProject && isTestUtility(module)),
    );
    if (!isTests && !isProject) {
      return [];
    }
    const isModule = isTests && fact.name !== null && isModuleOf({ fact, from: file.path, resolver });
    const named = chains({ fact, isModule }).flatMap(({ symbol, module, name, count, line }): Use[] => {
      const place = isTests && name !== '' ? resolver.member({ module, name, from: file.path }) : null;
      return usesOf({ file: file.path, symbol, count, line, place, isTests });
    });
    return [...named, ...(isTests ? offered({ fact, from: file.path, resolver, isModule }) : [])];
  });
}

/** True for `from . import utils` where `utils` is a module that was read. */
function isModuleOf({ fact, from, resolver }: { fact: ImportFact; from: string; resolver: Resolver }): boolean {
  const isMember = resolver.member({ module: fact.module, name: fact.name ?? '', from }) !== null;
  return !isMember && resolver.fileOf({ module: `${fact.module}.${fact.name}`, from }) !== null;
}

interface Chain {
  readonly symbol: string;
  /** Where its name is looked for. */
  readonly module: string;
  readonly name: string;
  readonly count: number;
  readonly line: number;
}

/** Uses of an import by what they reach: `flask.Flask` of `import flask`, `models.Q` of `from django.db import models`. */
function chains({ fact, isModule }: { readonly fact: ImportFact; readonly isModule: boolean }): Chain[] {
  const { module, name, symbol, line } = fact;
  if (name === '*') {
    return [{ symbol, module, name: '', count: 1, line }];
  }
  const found = new Map<string, Chain>();
  for (const use of fact.uses) {
    const parts = use.rest === '' ? [] : use.rest.split('.');
    const behind = name === null ? reached(parts) : isModule || isCapital(parts[0], name) ? parts.slice(0, 1) : [];
    const full = [symbol, ...behind].join('.');
    const inside = name === null || isModule || behind.length > 0;
    const known = found.get(full);
    found.set(full, {
      symbol: full,
      module: inside ? [module, ...(name === null ? [] : [name]), ...behind.slice(0, -1)].join('.') : module,
      name: inside ? (behind.at(-1) ?? '') : name,
      count: (known?.count ?? 0) + use.count,
      line: Math.min(known?.line ?? use.line, use.line),
    });
  }
  return [...found.values()];
}

/** A class behind a module's name, `Model` of `models.Model`; members of a class are no part of it. */
const isCapital = (part: string | undefined, name: string): boolean =>
  part !== undefined && /^_?[A-Z]/.test(part) && !/^_?[A-Z]/.test(name);

/** The parts up to a class, or the first ones where there is none. */
function reached(parts: readonly string[]): readonly string[] {
  const at = parts.findIndex((part) => /^_?[A-Z]/.test(part));
  return parts.slice(0, at < 0 ? MOST_PARTS : at + 1);
}

function usesOf({
  file,
  symbol,
  count,
  line,
  place,
  isTests,
}: {
  readonly file: string;
  readonly symbol: string;
  readonly count: number;
  readonly line: number;
  readonly place: Place | null;
  readonly isTests: boolean;
}): Use[] {
  const aspect = isTests ? ('helper' as const) : ('api' as const);
  const key = place === null ? symbol : `${place.file.path}::${place.definition.name}`;
  const use: Use = { aspect, key, symbol, file, line, count, isDefinition: false };
  if (place === null) {
    // A relative name means something else in every folder.
    return [{ ...use, key: symbol.startsWith('.') ? `${file.slice(0, file.lastIndexOf('/') + 1)}${symbol}` : symbol }];
  }
  if (place.definition.kind === 'fixture') {
    return [];
  }
  const { line: definedLine, detail, asserts, name } = place.definition;
  const definition: Use = { ...use, file: place.file.path, line: definedLine, count: 0, detail, isDefinition: true };
  const checks = asserts && place.definition.kind === 'function' && !isCheck(name);
  const called = symbol.slice(symbol.lastIndexOf('.') + 1);
  return [use, definition, ...(checks ? [{ ...use, aspect: 'assertion' as const, symbol: called, detail }] : [])];
}

/** Functions and classes of a module that a test file imports from, whether it uses them or not. */
function offered({
  fact,
  from,
  resolver,
  isModule,
}: {
  readonly fact: ImportFact;
  readonly from: string;
  readonly resolver: Resolver;
  readonly isModule: boolean;
}): Use[] {
  const module = isModule ? `${fact.module}.${fact.name}` : fact.module;
  const written = isModule || fact.name === null ? fact.symbol : fact.symbol.slice(0, -fact.name.length);
  const file = fact.name === null ? null : resolver.fileOf({ module, from });
  const isOffer = file !== null && !/(^|\/)conftest\.py$/.test(file.path);
  return (isOffer ? file.definitions : [])
    .filter(({ name, kind }) => (kind === 'function' || kind === 'class') && /^[^\W_]\w*$/.test(name))
    .map(({ name, line, detail }) => ({
      aspect: 'helper',
      key: `${file?.path}::${name}`,
      symbol: `${written}${isModule ? '.' : ''}${name}`,
      file: file?.path ?? from,
      line,
      count: 0,
      detail,
      isDefinition: true,
    }));
}
