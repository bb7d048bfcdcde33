import type { ReuseEvidence } from '../core/suite.js';
import { assertionUses } from './inventory-assertions.js';
import { importUses } from './inventory-imports.js';
import { setUpUses } from './inventory-setup.js';
import { rolesOf } from './naming.js';
import { type Outline, outlineOf } from './outline.js';
import type { PythonNode } from './parser.js';

/** Uses of a symbol in one file; its definition counts none. */
export interface UsedSymbol {
  readonly aspect: ReuseEvidence['aspect'];
  readonly symbol: string;
  readonly file: string;
  readonly line: number;
  readonly count: number;
  readonly isDefinition: boolean;
}

/** One name's places in the code of a file, strings and comments not counted. */
export interface NameUses {
  readonly count: number;
  /** Of the first use, from 1. */
  readonly line: number;
}

/** A parsed file as the aspects look at it. */
export interface InventoryFile {
  readonly root: PythonNode;
  readonly path: string;
  readonly outline: Outline;
  readonly names: ReadonlyMap<string, NameUses>;
}

/** Everything that one file contributes to the inventory. */
export function fileUses({
  root,
  text,
  path,
  projectModules,
  isSupport,
}: {
  readonly root: PythonNode;
  readonly text: string;
  readonly path: string;
  readonly projectModules: readonly string[];
  /** A conftest: only its fixtures count. */
  readonly isSupport: boolean;
}): readonly UsedSymbol[] {
  const file: InventoryFile = { root, path, outline: outlineOf({ root, text }), names: nameUses(root) };
  if (isSupport) {
    return setUpUses(file);
  }
  return [
    ...importUses({ file, projectModules }),
    ...assertionUses(file),
    ...setUpUses(file),
    ...baseClassUses(file),
    ...helperUses(file),
  ];
}

function nameUses(root: PythonNode): ReadonlyMap<string, NameUses> {
  const names = new Map<string, NameUses>();
  for (const node of root.descendantsOfType('identifier')) {
    const known = names.get(node.text);
    names.set(node.text, { count: (known?.count ?? 0) + 1, line: known?.line ?? node.startPosition.row + 1 });
  }
  return names;
}

/** The bases of test classes. */
function baseClassUses({ path, outline }: InventoryFile): UsedSymbol[] {
  const roles = rolesOf(outline);
  return outline.definitions.flatMap(({ type, bases, name, startLine }, index) => {
    const isTests = type === 'class' && (roles[index]?.isTest === true || /Test/.test(name));
    return isTests
      ? bases.map((symbol) => ({
          aspect: 'base-class' as const,
          symbol,
          file: path,
          line: startLine,
          count: 1,
          isDefinition: false,
        }))
      : [];
  });
}

/** Functions and classes of the module that are no tests, methods that tests call on `self`, and upper-case constants. */
function helperUses({ path, outline, names }: InventoryFile): UsedSymbol[] {
  const roles = rolesOf(outline);
  const usesOf = (name: string): number => Math.max(0, (names.get(name)?.count ?? 1) - 1);
  const helpers = outline.definitions.flatMap((definition, index) => {
    const { type, name, className, startLine } = definition;
    const isHelper = type === 'function' && roles[index]?.kind === 'helper' && !/^__\w+__$/.test(name);
    const isPlainClass = type === 'class' && className === null && roles[index]?.isTest === false;
    if (!isPlainClass && !(isHelper && (className === null || usesOf(name) > 0))) {
      return [];
    }
    const symbol = className === null ? name : `${className}.${name}`;
    return [
      { aspect: 'helper' as const, symbol, file: path, line: startLine, count: usesOf(name), isDefinition: true },
    ];
  });
  const constants = outline.bindings
    .filter(({ name, owner }) => owner < 0 && /^_?[A-Z][A-Z0-9_]+$/.test(name) && usesOf(name) > 0)
    .map(({ name, start }) => ({
      aspect: 'expected-value' as const,
      symbol: name,
      file: path,
      line: outline.lines.at(start) + 1,
      count: usesOf(name),
      isDefinition: true,
    }));
  return [...helpers, ...constants];
}
