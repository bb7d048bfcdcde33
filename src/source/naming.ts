import type { Definition, Outline } from './outline.js';

/** What a definition is for. */
export type DefinitionKind = 'test' | 'helper' | 'fixture' | 'class';

/** A definition's use, by the names that pytest and unittest go by. */
export interface Role {
  readonly kind: DefinitionKind;
  /** True when a runner collects it where it stands; false for the tests of a mixin, which run in its subclasses. */
  readonly isTest: boolean;
}

/** Set-up and tear-down that pytest, unittest or Django call by name. */
const SET_UP =
  /^(asyncSetUp|asyncTearDown|setUp|tearDown|setUpClass|tearDownClass|setUpModule|tearDownModule|setUpTestData|setup|teardown|(setup|teardown)_(module|class|method|function))$/;

/**
 * The role of each definition of an outline, in the same order.
 *
 * A function is a test by its name, `test*`. It is collected at module level, or in a class that is called `Test*` and
 * has no `__init__` (pytest), or in one that derives from a `*TestCase` (unittest): directly, through a class of the
 * same file, or through an imported base that has `Test` in its name. `__test__ = False` takes a class out.
 */
export function rolesOf(outline: Outline): readonly Role[] {
  const isTestClass = testClasses(outline);
  return outline.definitions.map((definition, index) => {
    const owner = outline.blocks[definition.block]?.owner ?? -1;
    if (definition.type === 'class') {
      return { kind: 'class', isTest: isTestClass(index) };
    }
    if (isFixture(definition)) {
      return { kind: 'fixture', isTest: false };
    }
    if (!definition.name.startsWith('test')) {
      return { kind: 'helper', isTest: false };
    }
    return { kind: 'test', isTest: owner < 0 || isTestClass(owner) };
  });
}

/** True for pytest fixtures and for set-up and tear-down called by name. */
export function isFixture(definition: Definition): boolean {
  return definition.type === 'function' && (SET_UP.test(definition.name) || definition.decorators.some(makesFixture));
}

const makesFixture = (decorator: string): boolean => /(^|[._])(yield_)?fixture$/.test(decorator.replace(/\(.*/s, ''));

function testClasses(outline: Outline): (index: number) => boolean {
  const byPath = new Map(outline.definitions.map((definition, index) => [definition.path, index]));
  const optedOut = new Set<number>();
  const withInit = new Set<number>();
  for (const binding of outline.bindings) {
    if (binding.name === '__test__' && /=\s*False\s*$/.test(outline.text.slice(binding.start, binding.end))) {
      optedOut.add(binding.owner);
    }
  }
  for (const definition of outline.definitions) {
    if (definition.name === '__init__') {
      withInit.add(outline.blocks[definition.block]?.owner ?? -1);
    }
  }
  const unittest = new Map<number, boolean>();
  const isUnittest = (index: number): boolean => {
    const known = unittest.get(index);
    if (known !== undefined) {
      return known;
    }
    unittest.set(index, false);
    const definition = outline.definitions[index];
    const answer = (definition?.bases ?? []).some((base) => {
      const name = base.replace(/[[(].*/s, '');
      const last = name.slice(name.lastIndexOf('.') + 1);
      const local = byPath.get(`${definition?.className ?? ''}::${name}`) ?? byPath.get(name);
      return last.endsWith('TestCase') || (local === undefined ? /Test/.test(last) : isUnittest(local));
    });
    unittest.set(index, answer);
    return answer;
  };
  return (index) =>
    !optedOut.has(index) &&
    (isUnittest(index) || (!withInit.has(index) && (outline.definitions[index]?.name.startsWith('Test') ?? false)));
}
