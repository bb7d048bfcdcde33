import type { BaseFact, ChainUse, DefinitionFact } from './inventory-facts.js';
import type { Walked } from './inventory-walk.js';
import { type DefinitionKind, isFixture, type Role } from './naming.js';
import type { Definition, Outline } from './outline.js';

const LONGEST_DETAIL = 70;
/** Bases that say nothing about testing. */
const PLAIN_BASE = /^(object|Generic|Protocol|ABC|abc\.ABC|typing\.\w+|Exception)$/;
const TEST_BASE = /(TestCase|Tests?|TestCases|Tests?(Base|Mixin|Suite))$/;
/** Names that make a test class only with a name of its own that says so too. */
const LIKELY_BASE = /^(Base)?Tests?[A-Z]/;

/** A file as its definitions are looked at. */
export interface Defined {
  readonly outline: Outline;
  readonly roles: readonly Role[];
  readonly walked: Walked;
}

/** Fixtures, and functions and classes that are no tests: what a file offers to be used again. */
export function definitionFacts({ outline, roles, walked }: Defined): DefinitionFact[] {
  const members = memberUses({ outline, walked });
  const isTests = testClassesOf({ outline, roles });
  return outline.definitions.flatMap((definition, index) => {
    const kind = factKind({ definition, role: roles[index]?.kind, isTests: isTests.has(index) });
    if (kind === null) {
      return [];
    }
    const uses = definition.className === null ? (walked.names.get(definition.name) ?? []) : (members.get(index) ?? []);
    const name = definition.path.replaceAll('::', '.');
    const detail = kind === 'fixture' ? fixtureDetail(definition.decorators) : signatureOf({ outline, definition });
    const count = uses.reduce((sum, use) => sum + use.count, 0);
    const usedLine = count === 0 ? 0 : Math.min(...uses.map(({ line }) => line));
    // The line of the name itself: where a reader looks for it.
    const line = outline.lines.at(definition.header.start) + 1;
    const asserts = walked.asserting.has(name);
    const isOfClass = kind === 'fixture' && definition.className !== null;
    const within = isOfClass ? (definition.className ?? '').replaceAll('::', '.') : '';
    const shown = kind === 'fixture' ? fixtureName(definition) : name;
    return [{ name: shown, within, kind, line, detail, count, usedLine, asserts }];
  });
}

function factKind({
  definition,
  role,
  isTests,
}: {
  definition: Definition;
  role: DefinitionKind | undefined;
  isTests: boolean;
}): DefinitionFact['kind'] | null {
  if (definition.type === 'class') {
    return definition.className !== null ? null : isTests ? 'tests' : 'class';
  }
  if (role === 'fixture') {
    return definition.decorators.length > 0 && isFixture({ ...definition, name: '_' }) ? 'fixture' : null;
  }
  return role === 'helper' && !/^__\w+__$/.test(definition.name) ? 'function' : null;
}

/** Indices of classes that hold or inherit tests, mixins included. */
export function testClassesOf({ outline, roles }: Pick<Defined, 'outline' | 'roles'>): ReadonlySet<number> {
  const holding = outline.definitions.flatMap((definition, index) => {
    const owner = outline.blocks[definition.block]?.owner ?? -1;
    const isMember =
      definition.type === 'function' && (roles[index]?.kind === 'test' || roles[index]?.kind === 'fixture');
    return isMember ? [owner] : [];
  });
  const found = new Set(holding.filter((owner) => owner >= 0));
  for (const [index, { type, bases, name }] of outline.definitions.entries()) {
    const isDerived = bases.map(lastOf).some((base) => {
      const local = outline.definitions.findIndex((other) => other.type === 'class' && other.path === base);
      const isLikely = local < 0 && LIKELY_BASE.test(base) && /Test/.test(name);
      return TEST_BASE.test(base) || isLikely || found.has(local);
    });
    const isNamed = bases.length === 0 && /^Test/.test(name) && roles[index]?.isTest === true;
    if (type === 'class' && (isDerived || isNamed)) {
      found.add(index);
    }
  }
  return found;
}

/** The bases of the test classes. */
export function baseFacts({ outline, roles }: Pick<Defined, 'outline' | 'roles'>): BaseFact[] {
  return [...testClassesOf({ outline, roles })]
    .sort((left, right) => left - right)
    .flatMap((index) => {
      const { bases = [], header } = outline.definitions[index] ?? {};
      const line = outline.lines.at(header?.start ?? 0) + 1;
      return bases
        .map((base) => base.replace(/[[(].*/s, '').replace(/\s+/g, ''))
        .filter((symbol) => /^[\w.]+$/.test(symbol) && !PLAIN_BASE.test(symbol))
        .map((symbol) => ({ symbol, line }));
    });
}

/**
 * Uses of methods by definition: `self.make` belongs to the class that it stands in or to the nearest local base with
 * such a method; where there is none, to the only class of the file that has one.
 */
function memberUses({ outline, walked }: Pick<Defined, 'outline' | 'walked'>): ReadonlyMap<number, ChainUse[]> {
  const { definitions } = outline;
  const found = new Map<number, ChainUse[]>();
  const byPath = new Map(definitions.map((definition, index) => [definition.path, index]));
  const named = new Map<string, number[]>();
  for (const [index, { className, name, type }] of definitions.entries()) {
    if (type === 'function' && className !== null) {
      named.set(name, [...(named.get(name) ?? []), index]);
    }
  }
  const inherited = ({
    owner,
    member,
    depth,
  }: {
    owner: string;
    member: string;
    depth: number;
  }): number | undefined => {
    const own = byPath.get(`${owner}::${member}`);
    if (own !== undefined || depth > 10) {
      return own;
    }
    const bases = definitions[byPath.get(owner) ?? -1]?.bases ?? [];
    return bases
      .map((base) => inherited({ owner: base, member, depth: depth + 1 }))
      .find((index) => index !== undefined);
  };
  for (const [className, uses] of walked.members) {
    for (const [member, use] of uses) {
      const all = named.get(member) ?? [];
      const index =
        inherited({ owner: className.replaceAll('.', '::'), member, depth: 0 }) ??
        (all.length === 1 ? all[0] : undefined);
      if (index !== undefined) {
        found.set(index, [...(found.get(index) ?? []), use]);
      }
    }
  }
  return found;
}

/** `(a, b=1)` of a function with `async` where it is one, `class (Base)` of a class. */
function signatureOf({ outline, definition }: { outline: Outline; definition: Definition }): string {
  const header = outline.text.slice(definition.header.start, definition.header.end).replace(/\s+/g, ' ');
  const [, isAsync = '', given = ''] = /^(async )?(?:def|class) \w+ ?(.*?) ?:$/u.exec(header) ?? [];
  const tidy = given.replace(/\( /g, '(').replace(/,? \)/g, ')');
  const text = definition.type === 'class' ? `class${tidy === '' ? '' : ` ${tidy}`}` : `${isAsync}${tidy}`;
  return text.length > LONGEST_DETAIL ? `${text.slice(0, LONGEST_DETAIL - 1)}…` : text;
}

function fixtureDetail(decorators: readonly string[]): string {
  const text = decorators.find((decorator) => /fixture\s*\(/.test(decorator)) ?? '';
  const scope = /\bscope\s*=\s*["'](\w+)["']/.exec(text)?.[1];
  const parts = [
    /\bautouse\s*=\s*True/.test(text) ? 'autouse' : '',
    scope === undefined || scope === 'function' ? '' : `scope ${scope}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** A fixture's name may be given by its decorator. */
export function fixtureName({ name, decorators }: Pick<Definition, 'name' | 'decorators'>): string {
  const given = decorators.map((text) => /fixture\s*\(.*\bname\s*=\s*["'](\w+)["']/s.exec(text)?.[1]);
  return given.find((one) => one !== undefined) ?? name;
}

const lastOf = (base: string): string => {
  const name = base.replace(/[[(].*/s, '');
  return name.slice(name.lastIndexOf('.') + 1);
};
