import { parametrizedNames } from './fixtures.js';
import { assertionUses, isCheck } from './inventory-assertions.js';
import { baseFacts, definitionFacts } from './inventory-definitions.js';
import type { FileInventory, RequestFact } from './inventory-facts.js';
import { importFacts } from './inventory-imports.js';
import { requestFacts, setUpUses } from './inventory-setup.js';
import { type Walked, walkTree } from './inventory-walk.js';
import { rolesOf } from './naming.js';
import { type Outline, outlineOf } from './outline.js';
import { loadPython, type PythonNode, syntaxProblemOf } from './parser.js';

/**
 * What a file of the tests knows about testing. It depends on the path and the text alone, so that it can be kept by
 * them; what other files say about its names is added by `linkInventories`. Never throws on bad syntax.
 */
export async function inventoryOfFile({
  path,
  text,
}: {
  readonly path: string;
  readonly text: string;
}): Promise<FileInventory> {
  const python = await loadPython();
  return python({
    text,
    use: (root) => {
      const walked = root.hasError ? null : walkTree({ root, text, isCheck, isWanted });
      // Looking for a problem costs a pass of its own, and nearly all files are known to have none by now.
      const problem = walked?.isEven === true ? null : syntaxProblemOf({ root, text });
      return walked === null || problem !== null
        ? unread({ path, line: problem?.line ?? 1 })
        : read({ path, text, root, walked });
    },
  });
}

const isWanted = (callee: string): boolean => /\.(parametrize|getfixturevalue)$/.test(callee);

function unread({ path, line }: { readonly path: string; readonly line: number }): FileInventory {
  const problem = `syntax error in line ${line}`;
  return { path, problem, imports: [], uses: [], definitions: [], requests: [], bases: [], plugins: [] };
}

function read({
  path,
  text,
  root,
  walked,
}: {
  readonly path: string;
  readonly text: string;
  readonly root: PythonNode;
  readonly walked: Walked;
}): FileInventory {
  const outline = outlineOf({ root, text });
  const roles = rolesOf(outline);
  const imports = importFacts({ path, statements: walked.imports, names: walked.names });
  const imported = new Set(imports.map(({ bound }) => bound));
  const constants = new Map(
    outline.bindings.filter(({ name, owner }) => owner < 0 && /^_?[A-Z]/.test(name)).map((one) => [one.name, one]),
  );
  const classes = new Set(outline.definitions.filter(({ type }) => type === 'class').map(({ name }) => name));
  const assertions = assertionUses({
    walked,
    isModule: (name) => imported.has(name),
    knows: (name) => imported.has(name) || constants.has(name) || classes.has(name),
  }).map((use) => {
    const constant = use.aspect === 'expected-value' ? constants.get(use.symbol) : undefined;
    return constant === undefined ? use : { ...use, line: outline.lines.at(constant.start) + 1 };
  });
  const known = parametrizedNames(looseParametrize({ walked, outline }));
  return {
    path,
    problem: null,
    imports,
    uses: [...assertions, ...setUpUses({ outline, roles })],
    definitions: definitionFacts({ outline, roles, walked }),
    requests: [...requestFacts({ outline, roles, known }), ...dynamicRequests(walked)],
    bases: baseFacts({ outline, roles }),
    plugins: pluginsOf(outline),
  };
}

/** Calls of `metafunc.parametrize` and the like, which stand in no decorator. */
function looseParametrize({ walked, outline }: { walked: Walked; outline: Outline }): string[] {
  const decorated = outline.definitions.map(({ start, header }) => [start, header.start] as const);
  return walked.calls
    .filter(({ callee, node }) => {
      const at = node.startIndex;
      return (
        /parametrize$/.test(callee) && /metafunc/.test(callee) && !decorated.some(([from, to]) => from <= at && at < to)
      );
    })
    .map(({ node }) => node.text);
}

/** `request.getfixturevalue("name")`. */
function dynamicRequests(walked: Walked): RequestFact[] {
  return walked.calls.flatMap(({ callee, node }) => {
    const name = /getfixturevalue$/.test(callee) ? /\(\s*["'](\w+)["']/.exec(node.text)?.[1] : undefined;
    return name === undefined
      ? []
      : [{ name, line: node.startPosition.row + 1, count: 1, within: '', isOverride: false }];
  });
}

/** Modules of a `pytest_plugins` list or string of the module. */
function pluginsOf(outline: Outline): string[] {
  return outline.bindings
    .filter(({ name, owner }) => owner < 0 && name === 'pytest_plugins')
    .flatMap(({ start, end }) =>
      [...outline.text.slice(start, end).matchAll(/["']([\w.]+)["']/g)].map(([, name = '']) => name),
    );
}
