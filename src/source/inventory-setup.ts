import { injectedParameters, parametrizedNames, usedFixtures } from './fixtures.js';
import { type Defined, fixtureName, testClassesOf } from './inventory-definitions.js';
import type { RequestFact, UseFact } from './inventory-facts.js';
import { isFixture } from './naming.js';
import type { Definition, Outline } from './outline.js';

/** Decorators that set nothing up. */
const PLAIN =
  /^(staticmethod|classmethod|property|cached_property|abstractmethod|overload|(\w+\.)?(yield_)?fixture|\w+\.(setter|getter|deleter))$/;
/** Class attributes that a runner or a base class reads. */
const MARKER =
  /^(databases|multi_db|available_apps|fixtures|serialized_rollback|reset_sequences|client_class|CHECKER_CLASS|maxDiff)$/;
const LONGEST_ARGUMENTS = 50;

/** Set-up methods, decorators of tests and test classes, and markers of modules and classes. */
export function setUpUses({ outline, roles }: Pick<Defined, 'outline' | 'roles'>): UseFact[] {
  const found = new Map<string, UseFact>();
  const add = ({ symbol, line, detail = '' }: { symbol: string; line: number; detail?: string | undefined }): void => {
    const key = `${symbol}\n${detail}`;
    const known = found.get(key);
    found.set(key, { aspect: 'fixture', symbol, line: known?.line ?? line, count: (known?.count ?? 0) + 1, detail });
  };
  const isTests = testClassesOf({ outline, roles });
  for (const [index, { type, name, decorators, startLine, header }] of outline.definitions.entries()) {
    const kind = roles[index]?.kind;
    if (kind === 'fixture' && !isPytestFixture(outline.definitions[index])) {
      add({ symbol: name, line: outline.lines.at(header.start) + 1 });
    }
    if (kind === 'test' || (type === 'class' && isTests.has(index))) {
      for (const decorator of decorators.filter((one) => !PLAIN.test(nameOf(one)))) {
        add({ symbol: `@${nameOf(decorator)}`, line: startLine, detail: argumentsOf(decorator) });
      }
    }
  }
  for (const { name, owner, start, end } of outline.bindings) {
    const line = outline.lines.at(start) + 1;
    if (name === 'pytestmark') {
      for (const [mark] of outline.text.slice(start, end).matchAll(/\bpytest\.mark\.\w+/g)) {
        add({ symbol: `@${mark}`, line });
      }
    } else if (owner >= 0 && isTests.has(owner) && MARKER.test(name)) {
      add({ symbol: `${name} = …`, line });
    }
  }
  return [...found.values()];
}

/** Fixtures that tests and fixtures of a file ask for. `known` are names that other calls of `parametrize` fill in. */
export function requestFacts({
  outline,
  roles,
  known,
}: Pick<Defined, 'outline' | 'roles'> & { readonly known: ReadonlySet<string> }): RequestFact[] {
  const found = new Map<string, RequestFact>();
  const add = ({
    name,
    line,
    within = '',
    isOverride = false,
  }: Partial<RequestFact> & { name: string; line: number }) => {
    const key = `${name}\n${within}\n${isOverride}`;
    const before = found.get(key);
    found.set(key, { name, line: before?.line ?? line, count: (before?.count ?? 0) + 1, within, isOverride });
  };
  const isUnittest = unittestClasses(outline);
  for (const [index, definition] of outline.definitions.entries()) {
    const { type, parameters, decorators, startLine } = definition;
    const owner = outline.blocks[definition.block]?.owner ?? -1;
    const line = outline.lines.at(definition.header.start) + 1;
    for (const used of usedFixtures(decorators)) {
      add({
        name: used,
        line: startLine,
        within: fixtureClass({ outline, owner: type === 'class' ? index : owner, name: used, except: -1 }),
      });
    }
    const isFixtureHere = isPytestFixture(definition);
    if (type === 'class' || !(roles[index]?.kind === 'test' || isFixtureHere) || isUnittest(owner)) {
      continue;
    }
    const all = withNamed({ outline, decorators: [...decorators, ...decoratorsAround({ outline, owner })] });
    const given = new Set([...parametrizedNames(all), ...known]);
    const isMethod = owner >= 0 && !decorators.includes('staticmethod');
    const own = injectedParameters({ parameters: isMethod ? parameters.slice(1) : parameters, decorators: all });
    for (const parameter of own.filter((one) => !given.has(one))) {
      const isOverride = isFixtureHere && parameter === fixtureName(definition);
      const within = fixtureClass({ outline, owner, name: parameter, except: index });
      add({ name: parameter, line, within, isOverride: isOverride && owner < 0 });
    }
  }
  for (const { start, end } of outline.bindings.filter((binding) => binding.name === 'pytestmark')) {
    for (const used of usedFixtures([outline.text.slice(start, end)])) {
      add({ name: used, line: outline.lines.at(start) + 1 });
    }
  }
  return [...found.values()];
}

/** True where a decorator makes the function a fixture; set-up by name is none. */
const isPytestFixture = (definition: Definition | undefined): boolean =>
  definition !== undefined && definition.type === 'function' && isFixture({ ...definition, name: '_' });

/** Decorators of the classes around, and marks in their `pytestmark` and that of the module. */
function decoratorsAround({ outline, owner }: { outline: Outline; owner: number }): string[] {
  const around: string[] = [];
  const owners = new Set([-1]);
  for (let at = owner; at >= 0; at = outline.blocks[outline.definitions[at]?.block ?? 0]?.owner ?? -1) {
    around.push(...(outline.definitions[at]?.decorators ?? []));
    owners.add(at);
  }
  const marks = outline.bindings.filter((binding) => binding.name === 'pytestmark' && owners.has(binding.owner));
  return [...around, ...marks.flatMap(({ start, end }) => outline.text.slice(start, end).split(/(?=pytest\.mark\.)/))];
}

/** Decorators, with what those stand for that a binding of the module or of a class names. */
function withNamed({ outline, decorators }: { outline: Outline; decorators: readonly string[] }): string[] {
  return decorators.flatMap((decorator) => {
    const binding = outline.bindings.find(({ name }) => name === decorator);
    return binding === undefined ? [decorator] : [decorator, outline.text.slice(binding.start, binding.end)];
  });
}

/**
 * The class whose fixture a name means inside of another one: the nearest of the class itself, its local bases, and the
 * classes around; empty where none has such a fixture.
 */
function fixtureClass({
  outline,
  owner,
  name,
  except,
}: {
  readonly outline: Outline;
  readonly owner: number;
  readonly name: string;
  /** The fixture that asks, which does not mean itself. */
  readonly except: number;
}): string {
  const { definitions, blocks } = outline;
  const queue = [owner];
  for (let at = 0; at < queue.length && at < 50; at += 1) {
    const index = queue[at] ?? -1;
    const holder = definitions[index];
    if (holder === undefined) {
      continue;
    }
    const isHeld = definitions.some(
      (one, position) =>
        position !== except && one.className === holder.path && isPytestFixture(one) && fixtureName(one) === name,
    );
    if (isHeld) {
      return holder.path.replaceAll('::', '.');
    }
    const bases = holder.bases.map((base) =>
      definitions.findLastIndex((one) => one.type === 'class' && one.path === base),
    );
    queue.push(...bases, blocks[holder.block]?.owner ?? -1);
  }
  return '';
}

/** Classes to which pytest gives no fixtures as parameters: they derive from a `TestCase`, perhaps through the file. */
function unittestClasses(outline: Outline): (index: number) => boolean {
  const { definitions } = outline;
  const isOne = (index: number, depth = 0): boolean =>
    (definitions[index]?.bases ?? []).some((base) => {
      const local = definitions.findLastIndex(({ type, path }) => type === 'class' && path === base);
      return /TestCase$/.test(base) || (local >= 0 && depth < 10 && isOne(local, depth + 1));
    });
  // Every test of a class asks.
  const known = new Map<number, boolean>();
  return (index) => {
    const answer = known.get(index) ?? isOne(index);
    known.set(index, answer);
    return answer;
  };
}

const nameOf = (decorator: string): string => decorator.replace(/\(.*/s, '').trim();

/** Short arguments of a decorator as written; of `parametrize` none, they are each test's own. */
function argumentsOf(decorator: string): string | undefined {
  const text =
    /\(.*\)$/s
      .exec(decorator)?.[0]
      .replace(/\s+/g, ' ')
      .replace(/\( /, '(')
      .replace(/,? \)$/, ')') ?? '';
  const isTold = text.length <= LONGEST_ARGUMENTS && text !== '()' && !/parametrize$/.test(nameOf(decorator));
  return isTold ? text : undefined;
}
