import { parametrizedNames, usedFixtures } from './fixtures.js';
import type { Lines } from './lines.js';
import { isFixture, rolesOf } from './naming.js';
import type { Binding, Definition, Outline } from './outline.js';
import type { PythonNode } from './parser.js';

/** Lines of a file, from 1, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
  /** True for the beginning of a definition that is too long. */
  readonly isCut: boolean;
}

/** What a definition needs of its own file, and of others. */
export interface Needed {
  readonly imports: readonly LineRange[];
  readonly ranges: readonly LineRange[];
  /** Names that pytest has to find in other files. */
  readonly fixtures: readonly string[];
}

/** Longest definition, in lines, that is shown whole without being asked for. */
const LONGEST = 60;
/** Definitions beyond the ones asked for. */
const MOST_DEFINITIONS = 30;

/**
 * The lines of a module that some of its definitions need: their classes' headers, set-up and used methods, the helpers,
 * fixtures, constants and imports that they name, and what those name in turn.
 */
export function neededBy({
  root,
  outline,
  targets,
  isTest,
}: {
  readonly root: PythonNode;
  readonly outline: Outline;
  readonly targets: readonly number[];
  /** True to add the set-up that runs around a test. */
  readonly isTest: boolean;
}): Needed {
  const { definitions, lines } = outline;
  const roles = rolesOf(outline);
  const chosen = new Set<number>(targets);
  const headers = new Set<number>();
  const names = new Set<string>();
  const queue = [...targets];
  const choose = (index: number): void => {
    if (!chosen.has(index) && chosen.size < targets.length + MOST_DEFINITIONS) {
      chosen.add(index);
      queue.push(index);
    }
  };
  for (let index = queue.shift(); index !== undefined; index = queue.shift()) {
    const definition = definitions[index];
    if (definition === undefined) {
      continue;
    }
    const used = namesIn({ root, outline, definition });
    const classes = classesAround({ outline, index });
    for (const owner of classes) {
      headers.add(owner);
      for (const name of namesOfHeader(definitions[owner])) {
        used.add(name);
      }
    }
    for (const name of used) {
      names.add(name);
    }
    for (const [other, candidate] of definitions.entries()) {
      const owner = outline.blocks[candidate.block]?.owner ?? -1;
      const role = roles[other];
      const isReachable = owner < 0 || classes.includes(owner);
      const isSetUp = isTest && role?.kind === 'fixture' && runsByItself({ candidate, owner });
      const isNamed = used.has(candidate.name) && role?.kind !== 'test' && role?.isTest === false;
      if (isReachable && (isNamed || isSetUp)) {
        choose(other);
      }
    }
  }
  const constants = constantsNamed({ root, outline, names, headers });
  const ranges = [
    ...constants.map(({ start, end }) => cut({ first: lines.at(start) + 1, last: lines.at(end - 1) + 1 })),
    ...[...headers].map((index) => headerRange({ outline, index })),
    ...[...chosen].flatMap((index) => {
      const { startLine = 1, endLine = 1 } = definitions[index] ?? {};
      const whole = { first: startLine, last: endLine };
      return targets.includes(index) ? [{ ...whole, isCut: false }] : [cut(whole)];
    }),
  ];
  return {
    imports: mergeRanges(importRanges({ outline, names })),
    ranges: mergeRanges(ranges),
    fixtures: fixturesWanted({ outline, chosen }),
  };
}

/** Assignments of the module and of the shown classes to names in use; what they name is added to the names. */
function constantsNamed({
  root,
  outline,
  names,
  headers,
}: {
  readonly root: PythonNode;
  readonly outline: Outline;
  readonly names: Set<string>;
  readonly headers: ReadonlySet<number>;
}): readonly Binding[] {
  const { lines } = outline;
  const found = new Set<Binding>();
  for (let isNew = true; isNew; ) {
    const more = outline.bindings.filter(
      (one) => !found.has(one) && names.has(one.name) && (one.owner < 0 || headers.has(one.owner)),
    );
    for (const binding of more) {
      found.add(binding);
      for (const name of identifiersIn({ root, lines, start: binding.start, end: binding.end })) {
        names.add(name);
      }
    }
    isNew = more.length > 0;
  }
  return [...found];
}

function identifiersIn({ root, lines, start, end }: { root: PythonNode; lines: Lines; start: number; end: number }) {
  const pointAt = (index: number) => ({ row: lines.at(index), column: index - lines.start(lines.at(index)) });
  return root.descendantsOfType('identifier', pointAt(start), pointAt(end)).map((node) => node.text);
}

/** Set-up by name, and fixtures that pytest applies unasked, of the module or of a class of the test. */
function runsByItself({ candidate, owner }: { candidate: Definition; owner: number }): boolean {
  const isPytestFixture = candidate.decorators.some((decorator) => /fixture\b/.test(decorator));
  if (isPytestFixture) {
    return candidate.decorators.some((decorator) => /autouse\s*=\s*True/.test(decorator));
  }
  return owner >= 0 || /module|function/i.test(candidate.name);
}

/** Indices of the classes around a definition, and of their base classes in the file. */
function classesAround({ outline, index }: { readonly outline: Outline; readonly index: number }): number[] {
  const { definitions, blocks } = outline;
  const found: number[] = [];
  const add = (owner: number): void => {
    const definition = definitions[owner];
    if (definition === undefined || found.includes(owner)) {
      return;
    }
    found.push(owner);
    for (const base of definition.bases) {
      add(definitions.findLastIndex(({ type, path }) => type === 'class' && path === base));
    }
    add(blocks[definition.block]?.owner ?? -1);
  };
  if (definitions[index]?.type === 'class') {
    add(index);
  }
  add(blocks[definitions[index]?.block ?? 0]?.owner ?? -1);
  return found;
}

function namesIn({ root, outline, definition }: { root: PythonNode; outline: Outline; definition: Definition }) {
  const { start, end, decorators } = definition;
  return new Set([...identifiersIn({ root, lines: outline.lines, start, end }), ...usedFixtures(decorators)]);
}

/** Names in a class's bases and decorators. */
function namesOfHeader(definition: Definition | undefined): string[] {
  const parts = [...(definition?.bases ?? []), ...(definition?.decorators ?? [])];
  return [...parts.flatMap((part) => part.match(/[A-Za-z_]\w*/g) ?? []), ...usedFixtures(definition?.decorators ?? [])];
}

function headerRange({ outline, index }: { readonly outline: Outline; readonly index: number }): LineRange {
  const definition = outline.definitions[index];
  const first = definition?.startLine ?? 1;
  return { first, last: outline.lines.at(definition?.header.end ?? 0) + 1, isCut: false };
}

function importRanges({ outline, names }: { readonly outline: Outline; readonly names: ReadonlySet<string> }) {
  return outline.imports
    .filter(
      ({ names: imported, wildcard }) =>
        wildcard || imported.some(({ name, alias }) => names.has(alias ?? name.split('.')[0] ?? name)),
    )
    .map(({ start, end }) => cut({ first: outline.lines.at(start) + 1, last: outline.lines.at(end - 1) + 1 }));
}

/** Parameters of the chosen tests and fixtures that no definition of the file and no decorator provides. */
function fixturesWanted({ outline, chosen }: { outline: Outline; chosen: ReadonlySet<number> }): readonly string[] {
  const own = new Set(outline.definitions.filter(isFixture).map(({ name }) => name));
  const wanted = [...chosen].flatMap((index) => {
    const definition = outline.definitions[index];
    if (definition === undefined || definition.type === 'class') {
      return [];
    }
    const given = parametrizedNames(definition.decorators);
    const asked = [...definition.parameters, ...usedFixtures(definition.decorators)];
    return asked.filter((name) => name !== 'self' && name !== 'cls' && !given.has(name));
  });
  // A fixture may build on the one that it replaces: its own name is looked for further out.
  const replaced = [...chosen].flatMap((index) => {
    const definition = outline.definitions[index];
    return definition?.parameters.includes(definition.name) ? [definition.name] : [];
  });
  return [...new Set([...wanted.filter((name) => !own.has(name)), ...replaced])];
}

const cut = ({ first, last }: { readonly first: number; readonly last: number }): LineRange =>
  last - first < LONGEST ? { first, last, isCut: false } : { first, last: first + 9, isCut: true };

/** Ranges in order, overlapping and neighbouring ones as one. */
function mergeRanges(ranges: readonly LineRange[]): readonly LineRange[] {
  const merged: LineRange[] = [];
  for (const range of ranges.toSorted((left, right) => left.first - right.first || right.last - left.last)) {
    const last = merged.at(-1);
    if (last !== undefined && range.first <= last.last + 1 && !(last.isCut && range.last > last.last)) {
      merged[merged.length - 1] = { ...last, last: Math.max(last.last, range.last) };
    } else {
      merged.push(range);
    }
  }
  return merged;
}
