import { covers, isTestName, wasCreated } from './operation.js';
import {
  baseClasses,
  type EditedSuite,
  folderOf,
  folderReached,
  type IsBaseClass,
  isSharedFile,
  ownerOf,
  sharedSteps,
} from './reach.js';
import { fileOf, isCollectionId, qualifiedNameOf } from './row.js';
import type { ChangedTest, TestOrigin } from './suite.js';

/** How a row's test came to be, and the step that created or last changed it (0 for an original one). */
export interface RowSource {
  readonly origin: TestOrigin;
  readonly step: number;
}

/**
 * Tells where rows come from, by test id.
 *
 * A test that an update created stays `created` when a later update changes it. A test also counts as `updated` when an
 * update changed what it may run through, see {@link sharedSteps}. The collection row of a file is `updated` once an
 * update touched the file or a shared one at or above it. A test that a class inherits has the origin of the inherited
 * definition, see {@link changeOf}.
 *
 * `originalTests` are the ids of the suite as the repository has it; without them no test counts as inherited.
 */
export function originsOf({
  suite,
  originalTests,
}: {
  suite: EditedSuite;
  originalTests?: ReadonlySet<string> | undefined;
}): (testId: string) => RowSource {
  const isBaseClass = baseClasses(originalTests ?? NONE);
  const sharedStep = sharedSteps({ suite, isBaseClass });
  return (testId) => {
    if (isCollectionId(testId)) return updatedAt(collectionStep({ suite, file: fileOf(testId) }));
    const inherited =
      originalTests === undefined ? null : inheritedChange({ suite, testId, originalTests, isBaseClass });
    const { file, name } = inherited ?? { file: fileOf(testId), name: qualifiedNameOf(testId) };
    const own = inherited ? [inherited] : suite.changed.filter((change) => isOwnChange({ change, file, name }));
    const step = own.reduce((last, change) => Math.max(last, change.step), sharedStep(testId));
    return step > 0 && wasCreated({ suite, file, name }) ? { origin: 'created', step } : updatedAt(step);
  };
}

const updatedAt = (step: number): RowSource => ({ origin: step === 0 ? 'original' : 'updated', step });

const NONE: ReadonlySet<string> = new Set();

function collectionStep({ suite, file }: { suite: EditedSuite; file: string }): number {
  const touching = suite.changed.filter(
    (change) =>
      change.file === file ||
      (isSharedFile({ suite, file: change.file }) && file.startsWith(folderReached({ suite, file: change.file }))),
  );
  return touching.reduce((last, change) => Math.max(last, change.step), 0);
}

/**
 * The last change of the definition that a row runs, its own or an inherited one; null when no update touched it. For
 * rows that are known not to run a definition of their own.
 */
export function changeOf({ suite, testId }: { suite: EditedSuite; testId: string }): ChangedTest | null {
  const file = fileOf(testId);
  const name = qualifiedNameOf(testId);
  const own = suite.changed.findLast(
    (change) => change.op !== 'delete' && change.file === file && change.name === name,
  );
  return own ?? inheritedChange({ suite, testId, originalTests: NONE, isBaseClass: baseClasses(NONE) });
}

/**
 * The change of a method that a test class inherits, told by the method's name: a created one for a test that the
 * repository did not have, an updated one of a shared file or of a base class.
 */
function inheritedChange({
  suite,
  testId,
  originalTests,
  isBaseClass,
}: {
  suite: EditedSuite;
  testId: string;
  originalTests: ReadonlySet<string>;
  isBaseClass: IsBaseClass;
}): ChangedTest | null {
  const file = fileOf(testId);
  const name = qualifiedNameOf(testId);
  const method = methodOf(name);
  if (method === null || suite.changed.some((change) => isOwnChange({ change, file, name }))) return null;
  const found = suite.changed.findLast((change) => {
    // Test classes inherit from their own folder or one above it.
    if (change.op === 'delete' || methodOf(change.name) !== method || !file.startsWith(folderOf(change.file)))
      return false;
    if (wasCreated({ suite, file: change.file, name: change.name })) return !originalTests.has(testId);
    return (
      isSharedFile({ suite, file: change.file }) || isBaseClass({ file: change.file, owner: ownerOf(change.name) })
    );
  });
  return found ?? null;
}

/** Name of a test method; null for a function at module level and for what is no test. */
function methodOf(name: string): string | null {
  return name.includes('::') && isTestName(name) ? (name.split('::').at(-1) ?? null) : null;
}

function isOwnChange({ change, file, name }: { change: ChangedTest; file: string; name: string }): boolean {
  return change.op !== 'delete' && change.file === file && covers({ definition: change.name, name });
}
