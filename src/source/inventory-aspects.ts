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
  /** Those behind a dot, `x.name`. */
  readonly members: number;
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
  const file: InventoryFile = { root, path, outline: outlineOf({ root, text }), names: nameUses({ root, text }) };
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

function nameUses({ root, text }: { readonly root: PythonNode; readonly text: string }): ReadonlyMap<string, NameUses> {
  const names = new Map<string, NameUses>();
  for (const node of root.descendantsOfType('identifier')) {
    const known = names.get(node.text) ?? { count: 0, members: 0, line: node.startPosition.row + 1 };
    const isMember = text[node.startIndex - 1] === '.';
    names.set(node.text, { ...known, count: known.count + 1, members: known.members + (isMember ? 1 : 0) });
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
  // A method is used behind a dot, anything else without one; the definition itself is no use.
  const usesOf = (name: string, isMethod = false): number => {
    const { count = 0, members = 0 } = names.get(name) ?? {};
    return Math.max(0, isMethod ? members : count - members - 1);
  };
  const helpers = outline.definitions.flatMap((definition, index) => {
    const { type, name, className, startLine } = definition;
    const isHelper = type === 'function' && roles[index]?.kind === 'helper' && !/^__\w+__$/.test(name);
    const isPlainClass = type === 'class' && className === null && roles[index]?.isTest === false;
    const count = usesOf(name, className !== null);
    if (!isPlainClass && !(isHelper && (className === null || count > 0))) {
      return [];
    }
    const symbol = className === null ? name : `${className}.${name}`;
    return [{ aspect: 'helper' as const, symbol, file: path, line: startLine, count, isDefinition: true }];
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
