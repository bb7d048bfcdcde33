import { boundBy } from './import-statement.js';
import type { Definition, Outline } from './outline.js';

/** What gives tests their names at run time. */
const MAKES_NAMES =
  /\bglobals\(\)\s*\[|\bsetattr\(|\bdef (load_tests|pytest_generate_tests)\b|\bDocTestSuite\(|\btype\(\s*["'fF]/;

/** Decorators that make several tests of one function. */
const MULTIPLIES =
  /(^|\.)(expand|parameterized|parametrize|data|file_data|unpack|params|named_parameters|parameters|product)\b/;

/** Why a file has no definition of a qualified name, and what to name instead; a full sentence or several. */
export function whyMissing({ outline, path }: { readonly outline: Outline; readonly path: string }): string {
  const missing = `There is no \`${path}\` in the file.`;
  if (outline.text.trim() === '') return `${missing} It is empty or not there: create the test.`;
  const reason =
    whereElse({ outline, path }) ??
    multiplied({ outline, path }) ??
    hintFor({ outline, path }) ??
    runTimeNames(outline);
  return reason === null ? missing : `${missing} ${reason}`;
}

/** The name is there, but is no definition of its own. */
function whereElse({ outline, path }: { outline: Outline; path: string }): string | null {
  const parts = path.split('::');
  const name = parts.pop() ?? '';
  const owner = outline.definitions.findLastIndex((one) => one.path === parts.join('::'));
  const holder = outline.definitions[owner];
  if (parts.length > 0 && holder === undefined) return null;
  if (holder?.type === 'function') {
    return `\`${holder.path}\` is a function: what is defined inside of it is edited with it.`;
  }
  const bound = outline.bindings.find((one) => one.owner === owner && one.name === name);
  if (bound !== undefined) {
    const line = outline.lines.at(bound.start) + 1;
    return `Line ${line} assigns it, so it is made at run time: edit the function that makes it.`;
  }
  if (holder === undefined) {
    const imported = outline.imports.find(({ module, names }) =>
      names.some((one) => boundBy({ module, name: one }).bound === name),
    );
    return imported === undefined
      ? null
      : `It is imported in line ${outline.lines.at(imported.start) + 1}: edit it in its own file.`;
  }
  return inherited({ outline, holder, name });
}

function inherited({ outline, holder, name }: { outline: Outline; holder: Definition; name: string }): string | null {
  const open = [...holder.bases];
  const elsewhere: string[] = [];
  const seen = new Set<string>();
  for (let base = open.shift(); base !== undefined; base = open.shift()) {
    if (seen.has(base)) continue;
    seen.add(base);
    const found = outline.definitions.findLast(
      (one) => one.type === 'class' && one.path === base.replaceAll('.', '::'),
    );
    if (found === undefined) elsewhere.push(base);
    else if (outline.definitions.some((one) => one.path === `${found.path}::${name}`)) {
      return `\`${holder.path}\` inherits it: update \`${found.path}::${name}\`, or create an override in \`${holder.path}\`.`;
    } else open.push(...found.bases);
  }
  if (elsewhere.length === 0 || !/^test/.test(name)) return null;
  const bases = elsewhere.slice(0, 3).map((base) => `\`${base}\``);
  const others = hintFor({ outline, path: `${holder.path}::${name}` });
  return `${others === null ? '' : `${others} `}If \`${holder.path}\` inherits it from ${bases.join(' or ')}, update it where that is defined, or create an override.`;
}

/** A name such as `test_add_1_zero`, which a decorator makes of `test_add`. */
function multiplied({ outline, path }: { outline: Outline; path: string }): string | null {
  const source = outline.definitions.findLast(
    (one) =>
      one.type === 'function' &&
      path.startsWith(`${one.path}_`) &&
      one.decorators.some((decorator) => MULTIPLIES.test(decorator.replace(/\(.*/s, ''))),
  );
  if (source === undefined) return null;
  return `A decorator of \`${source.path}\` makes it at run time: update \`${source.path}\`, or one row by its text, \`${source.path}[(…)]\`.`;
}

/** Names a few definitions that may have been meant. */
function hintFor({ outline, path }: { outline: Outline; path: string }): string | null {
  const wanted = path.split(/::|\./).at(-1) ?? path;
  const close = outline.definitions
    .filter(({ name }) => name === wanted || (wanted.length > 5 && (name.includes(wanted) || wanted.includes(name))))
    .filter(({ name }) => name.length > 3)
    .map((definition) => `\`${definition.path}\``);
  return close.length === 0 ? null : `There is ${[...new Set(close)].slice(0, 5).join(', ')}.`;
}

function runTimeNames({ text, lines }: Outline): string | null {
  const at = text.search(MAKES_NAMES);
  if (at < 0) return null;
  return `Names of tests are made at run time in line ${lines.at(at) + 1}: if this is one, edit what makes it.`;
}
