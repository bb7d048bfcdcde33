import { cameWithItsClass, covers, isTestName, wasCreated } from './operation.js';
import { fileOf, qualifiedNameOf } from './row.js';
import type { ChangedTest, Suite } from './suite.js';

/** What the updates so far made of a suite. */
export type EditedSuite = Pick<Suite, 'edits' | 'changed' | 'testFiles'>;

/** Names of test modules that others take their base classes from. */
const BASE_MODULE = /(^|\/|_)(base|common|shared|mixins?)(_tests?)?\.py$/i;

/** What a runner calls around tests that do not name it. */
const SET_UP = /^((async)?(setUp|tearDown)|(setup|teardown)(_|$))/;

/** Tells classes of test modules from which others inherit, by what y_0 ran. */
export type IsBaseClass = (definition: { readonly file: string; readonly owner: string }) => boolean;

/** Where tests run through a definition: every file below a folder, or one file, or one class of it. */
type Reach =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'file'; readonly file: string; readonly owner: string };

/** True for files that test files take code from: what is no test file itself, and base modules by their name. */
export const isSharedFile = ({ suite, file }: { suite: Pick<Suite, 'testFiles'>; file: string }): boolean =>
  !suite.testFiles.includes(file) || BASE_MODULE.test(file);

/**
 * The folder below which tests may use a file: its own or, where that holds no test file (a folder of helpers), the
 * nearest one above that does, the root left out. A `conftest.py` reaches exactly its own.
 */
export function folderReached({ suite, file }: { suite: Pick<Suite, 'testFiles'>; file: string }): string {
  const own = folderOf(file);
  if (file === `${own}conftest.py`) return own;
  let folder = own;
  while (folder !== '' && !suite.testFiles.some((test) => test !== file && test.startsWith(folder))) {
    folder = folderOf(folder.slice(0, -1));
  }
  return folder === '' ? own : folder;
}

/**
 * For each test id, the last step that changed what the test runs through: a helper, fixture or set-up of its file, of
 * its class, or of a shared file at or above it. 0 when there is none.
 *
 * Which tests really use a helper is not known, so all within reach count. A helper that an update added to a test file
 * counts only when it is called without being named.
 */
export function sharedSteps({
  suite,
  isBaseClass,
}: {
  suite: EditedSuite;
  isBaseClass: IsBaseClass;
}): (testId: string) => number {
  const reaches = suite.changed.flatMap((change) => {
    const reach = reachOf({ suite, change, isBaseClass });
    return reach === null ? [] : [{ reach, step: change.step }];
  });
  return (testId) => {
    const file = fileOf(testId);
    const name = qualifiedNameOf(testId);
    const within = reaches.filter(({ reach }) =>
      reach.kind === 'folder'
        ? file.startsWith(reach.folder)
        : file === reach.file && (reach.owner === '' || covers({ definition: reach.owner, name })),
    );
    return within.reduce((last, { step }) => Math.max(last, step), 0);
  };
}

function reachOf({
  suite,
  change,
  isBaseClass,
}: {
  suite: EditedSuite;
  change: ChangedTest;
  isBaseClass: IsBaseClass;
}): Reach | null {
  const { file, name } = change;
  const owner = ownerOf(name);
  // A class that is replaced as a whole may bring other attributes and bases to all of its tests.
  const isHelper = !isTestName(name) || isFixture(change) || cameWithItsClass({ suite, file, name });
  if (!isHelper) return null;
  if (isSharedFile({ suite, file })) return { kind: 'folder', folder: folderReached({ suite, file }) };
  if (wasCreated({ suite, file, name })) return isCalledUnnamed(change) ? { kind: 'file', file, owner } : null;
  if (isBaseClass({ file, owner })) return { kind: 'folder', folder: folderOf(file) };
  return { kind: 'file', file, owner };
}

/** Classes of which y_0, the tests with these ids, ran none under their own name, in files of which it ran some. */
export function baseClasses(originalTests: ReadonlySet<string>): IsBaseClass {
  const known = new Set<string>();
  for (const testId of originalTests) {
    const [file = '', ...names] = testId
      .slice(0, fileOf(testId).length + 2 + qualifiedNameOf(testId).length)
      .split('::');
    for (let depth = 0; depth < names.length; depth += 1) known.add([file, ...names.slice(0, depth)].join('::'));
  }
  return ({ file, owner }) => owner !== '' && known.has(file) && !known.has(`${file}::${owner}`);
}

const isFixture = ({ source }: ChangedTest): boolean => /^@[\w.]*fixture\b/m.test(source);

const isCalledUnnamed = ({ name, source }: ChangedTest): boolean =>
  SET_UP.test(name.split('::').at(-1) ?? '') || /\bautouse\s*=\s*True\b/.test(source);

/** The class that holds a definition; empty at module level. */
export const ownerOf = (name: string): string => name.split('::').slice(0, -1).join('::');

/** The folder of a file with its slash; empty for the root. */
export const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1);
