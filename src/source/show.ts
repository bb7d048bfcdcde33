import { isFixture } from './naming.js';
import type { Outline } from './outline.js';
import { outlineOf } from './outline.js';
import { loadPython, type UsePython } from './parser.js';
import { type LineRange, type Needed, neededBy } from './show-closure.js';

interface ShownFile {
  readonly path: string;
  readonly text: string;
  readonly needed: Needed;
}

/**
 * A test as text, with what it takes to understand it: the header, set-up and used methods of its class and of base
 * classes in the file, the fixtures it asks for (from the file, else from `supportFiles`, the nearest `conftest.py`
 * first, with the fixtures that those ask for), module helpers, constants and imports that it names.
 *
 * Lines are as in their files, each block under a comment with its place and the imports in one; other long definitions are cut to their first
 * lines. `name` is a qualified name; a class gives the whole class, a method that is only inherited its definition in a
 * base class of the file. Null where the file has no such definition.
 */
export async function showTest({
  file,
  text,
  name,
  supportFiles,
}: {
  readonly file: string;
  readonly text: string;
  readonly name: string;
  readonly supportFiles: readonly { readonly path: string; readonly text: string }[];
}): Promise<string | null> {
  const python = await loadPython();
  const own = python({
    text,
    use: (root) => {
      const outline = outlineOf({ root, text });
      const target = findShown({ outline, name });
      return target === undefined ? null : neededBy({ root, outline, targets: [target], isTest: true });
    },
  });
  if (own === null) {
    return null;
  }
  const shown: ShownFile[] = [{ path: file, text, needed: own }];
  let wanted = own.fixtures;
  for (const support of nearestFirst({ file, supportFiles })) {
    const found = fixturesIn({ python, text: support.text, wanted });
    if (found !== null) {
      shown.push({ ...support, needed: found });
      wanted = found.fixtures;
    }
  }
  return shown.map(render).join('\n\n');
}

/** A definition's index: the last of its name, or the one that its class inherits from a class of the file. */
function findShown({ outline, name }: { readonly outline: Outline; readonly name: string }): number | undefined {
  const { definitions } = outline;
  let path = name.replace(/\[.*$/s, '');
  for (let hops = 0; hops < 10; hops += 1) {
    const index = definitions.findLastIndex((definition) => definition.path === path);
    if (index >= 0) {
      return index;
    }
    const [member = '', ...classParts] = path.split('::').reverse();
    const className = classParts.reverse().join('::');
    const bases = definitions.findLast((definition) => definition.path === className)?.bases ?? [];
    const base = bases.find((one) => definitions.some((definition) => definition.path === one));
    if (base === undefined) {
      return undefined;
    }
    path = `${base}::${member}`;
  }
  return undefined;
}

/** Support files of directories around the file, the innermost first, then all others. */
function nearestFirst({
  file,
  supportFiles,
}: {
  readonly file: string;
  readonly supportFiles: readonly { readonly path: string; readonly text: string }[];
}) {
  const nearness = (path: string): number => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    return file.startsWith(folder) ? folder.length + 1 : 0;
  };
  return supportFiles
    .filter(({ path }) => path !== file)
    .toSorted((left, right) => nearness(right.path) - nearness(left.path));
}

/** The wanted fixtures of a support file with what they need, and the names that are still wanted then. */
function fixturesIn({
  python,
  text,
  wanted,
}: {
  readonly python: UsePython;
  readonly text: string;
  readonly wanted: readonly string[];
}): Needed | null {
  return python({
    text,
    use: (root) => {
      const outline = outlineOf({ root, text });
      const { definitions } = outline;
      const found = wanted.flatMap((name) => {
        const index = definitions.findLastIndex((one) => isFixture(one) && fixtureNames(one).includes(name));
        return index >= 0 ? [{ name, index }] : [];
      });
      const always = definitions.flatMap((one, index) =>
        isFixture(one) && isAutomatic(one.decorators) ? [index] : [],
      );
      const targets = [...new Set([...found.map(({ index }) => index), ...always])];
      if (targets.length === 0) {
        return null;
      }
      const needed = neededBy({ root, outline, targets, isTest: false });
      const open = wanted.filter((name) => !found.some((one) => one.name === name));
      return { ...needed, fixtures: [...new Set([...open, ...needed.fixtures])] };
    },
  });
}

/** A fixture's name: its function's, or the one that its decorator gives. */
function fixtureNames({
  name,
  decorators,
}: {
  readonly name: string;
  readonly decorators: readonly string[];
}): string[] {
  const given = decorators.map((decorator) => /\bname\s*=\s*["'](\w+)["']/.exec(decorator)?.[1]);
  return [given.find((one) => one !== undefined) ?? name];
}

const isAutomatic = (decorators: readonly string[]): boolean =>
  decorators.some((decorator) => /autouse\s*=\s*True/.test(decorator));

function render({ path, text, needed }: ShownFile): string {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const textOf = ({ first, last }: LineRange): string => lines.slice(first - 1, last).join('\n');
  const imports = needed.imports.length === 0 ? [] : [`# ${path}, imports\n${needed.imports.map(textOf).join('\n')}`];
  const blocks = needed.ranges.map((range) => {
    const { first, last, isCut } = range;
    const place = first === last ? `line ${first}` : `lines ${first}-${last}`;
    return `# ${path}, ${place}${isCut ? ' (beginning)' : ''}\n${textOf(range)}`;
  });
  return [...imports, ...blocks].join('\n\n');
}
