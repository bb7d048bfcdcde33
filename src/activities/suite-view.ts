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
export async function suiteView({ services, suite, base }: Where): Promise<string> {
  const parts: string[] = [];
  for (const file of suite.testFiles) {
    const text = await suiteText({ services, suite, base, path: file });
    const names =
      text === null
        ? []
        : (await indexTests({ file, text })).filter(({ kind }) => kind === 'test').map(({ name }) => name);
    const more = names.length > NAMES_PER_FILE ? `, … ${names.length - NAMES_PER_FILE} more` : '';
    parts.push(`${file} (${names.length} tests): ${names.slice(0, NAMES_PER_FILE).join(', ')}${more}`);
  }
  const support = Object.keys(suite.files).filter((path) => !suite.testFiles.includes(path));
  if (support.length > 0) parts.push(`Changed support files: ${support.join(', ')}`);
  const changed = suite.changed
    .filter((each) => each.op !== 'delete')
    .map((each) => `# ${each.file}::${each.name} (${each.op}, update ${each.step})\n${each.source}`);
  if (changed.length > 0) parts.push(`Tests of earlier updates:\n\n${changed.join('\n\n').slice(0, CHANGED_CHARS)}`);
  return parts.join('\n');
}

/** A test of the suite with what it needs to be understood; what is known of the file for a collection row. */
export async function testSource({
  services,
  suite,
  base,
  testId,
}: Where & { readonly testId: string }): Promise<string> {
  const file = fileOf(testId);
  const text = (await suiteText({ services, suite, base, path: file })) ?? '';
  if (isCollectionId(testId)) return `# The whole file ${file} cannot be imported or collected on some candidates.`;
  const shown = await showInSuite({ services, suite, base, file, text, name: qualifiedNameOf(testId) });
  return shown ?? `# ${testId} is made at run time; its source is not a definition of its own.`;
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
