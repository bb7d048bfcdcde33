import type { Matrix } from '../core/matrix.js';
import { changeOf } from '../core/origin.js';
import { fileOf, isCollectionId, qualifiedNameOf } from '../core/row.js';
import type { Suite } from '../core/suite.js';
import { showTest } from '../source/show.js';
import { indexTests } from '../source/test-index.js';
import { type BaseFiles, suiteText } from './base-files.js';
import { conftestPaths } from './inventory.js';
import type { Services } from './services.js';

const CHANGED_CHARS = 24_000;
const NAMES_PER_FILE = 40;

interface Where {
  readonly services: Services;
  readonly suite: Suite;
  readonly base: BaseFiles;
}

/**
 * The relevant tests of y_t for the optimizer: the names in each test file, then the present source of every test that
 * an update created or changed.
 */
export async function suiteView({ matrix, ...where }: Where & { readonly matrix: Matrix }): Promise<string> {
  const { suite } = where;
  const parts: string[] = [];
  for (const file of suite.testFiles) {
    const rows = matrix.rows.filter((row) => fileOf(row.testId) === file).length;
    parts.push(`${file} (${rows} rows): ${(await testNames({ ...where, file })) || 'all of them inherited'}`);
  }
  for (const file of conftestPaths(suite.testFiles)) {
    const names = await testNames({ ...where, file });
    if (names !== '') parts.push(`${file} (inherited by test classes of other files, a row for each): ${names}`);
  }
  const support = Object.keys(suite.files).filter((path) => !suite.testFiles.includes(path));
  if (support.length > 0) parts.push(`Changed support files: ${support.join(', ')}`);
  const changed = suite.changed
    .filter((each) => each.op !== 'delete')
    .map((each) => `# ${each.file}::${each.name} (${each.op}, update ${each.step})\n${each.source}`);
  if (changed.length > 0) parts.push(`Tests of earlier updates:\n\n${changed.join('\n\n').slice(0, CHANGED_CHARS)}`);
  return parts.join('\n');
}

async function testNames({ file, ...where }: Where & { readonly file: string }): Promise<string> {
  const text = await suiteText({ ...where, path: file });
  const definitions = text === null ? [] : await indexTests({ file, text });
  const names = definitions.filter(({ kind }) => kind === 'test').map(({ name }) => name);
  const mixins = definitions.filter(({ name }) => /::test/.test(name) && !names.includes(name)).map(({ name }) => name);
  const all = [...names, ...mixins];
  const more = all.length > NAMES_PER_FILE ? `, … ${all.length - NAMES_PER_FILE} more` : '';
  return all.slice(0, NAMES_PER_FILE).join(', ') + more;
}

/** A test of the suite with what it needs to be understood; what is known of the file for a collection row. */
export async function testSource({ testId, ...where }: Where & { readonly testId: string }): Promise<string> {
  const file = fileOf(testId);
  if (isCollectionId(testId)) return `# The whole file ${file} cannot be imported or collected on some candidates.`;
  const text = (await suiteText({ ...where, path: file })) ?? '';
  const name = qualifiedNameOf(testId);
  const own = await showInSuite({ ...where, file, text, name });
  if (own !== null) return own;
  const inherited = await inheritedDefinition({ ...where, testId });
  return inherited ?? `# ${testId} is made at run time; its source is not a definition of its own.`;
}

/** The definition of a test that its class inherits from another file: a mixin in `__init__.py` or beside the tests. */
async function inheritedDefinition({ testId, ...where }: Where & { readonly testId: string }): Promise<string | null> {
  const change = changeOf({ suite: where.suite, testId });
  const method = qualifiedNameOf(testId).split('::').at(-1) ?? '';
  const paths = change === null ? conftestPaths([fileOf(testId)]) : [change.file];
  for (const path of paths) {
    const text = await suiteText({ ...where, path });
    const found = text === null ? [] : await indexTests({ file: path, text });
    const name = change?.name ?? found.find((each) => each.name.endsWith(`::${method}`))?.name;
    const shown = text === null || name === undefined ? null : await showInSuite({ ...where, file: path, text, name });
    if (shown !== null) return `# ${fileOf(testId)} inherits it from ${path}\n${shown}`;
  }
  return null;
}

/** A test with its class header, set-up, fixtures and helpers, or null where the file has no such definition. */
export async function showInSuite({
  services,
  suite,
  base,
  file,
  text,
  name,
}: Where & { readonly file: string; readonly text: string; readonly name: string }): Promise<string | null> {
  const supportFiles = await Promise.all(
    conftestPaths([file]).map(async (path) => ({
      path,
      text: (await suiteText({ services, suite, base, path })) ?? '',
    })),
  );
  return showTest({ file, text, name, supportFiles: supportFiles.filter((each) => each.text !== '') });
}
