import { fileOf, isCollectionId, qualifiedNameOf } from './row.js';
import type { ChangedTest, Operation, Suite, TestOrigin } from './suite.js';

/** How a row's test came to be, and the step that created or last changed it (0 for an original one). */
export interface RowSource {
  readonly origin: TestOrigin;
  readonly step: number;
}

/**
 * Where a row comes from.
 *
 * A test that an update created stays `created` when a later update changes it. A test also counts as `updated` when an
 * update changed what it runs through: a fixture or helper of its file, of its class, or of a `conftest.py` above it.
 * The collection row of a file is `updated` once an update touched the file or a `conftest.py` above it. A test that a
 * class inherits has the origin of the inherited definition, see {@link changeOf}.
 *
 * `originalTests` are the ids of the suite as the repository has it; without them no test counts as inherited.
 */
export function originOf({
  suite,
  testId,
  originalTests,
}: {
  suite: Pick<Suite, 'edits' | 'changed'>;
  testId: string;
  originalTests?: ReadonlySet<string>;
}): RowSource {
  const file = fileOf(testId);
  const name = qualifiedNameOf(testId);
  const inherited =
    isCollectionId(testId) || originalTests === undefined ? null : inheritedChange({ suite, testId, originalTests });
  if (inherited !== null) {
    const created = wasCreated({ suite, file: inherited.file, name: inherited.name });
    return { origin: created ? 'created' : 'updated', step: inherited.step };
  }
  const touching = isCollectionId(testId)
    ? suite.changed.filter((change) => change.file === file || isConftestAbove({ conftest: change.file, file }))
    : suite.changed.filter((change) => isOwnChange({ change, file, name }) || isSharedChange({ change, file, name }));
  const step = touching.reduce((last, change) => Math.max(last, change.step), 0);
  if (step === 0) return { origin: 'original', step: 0 };
  return { origin: wasCreated({ suite, file, name }) ? 'created' : 'updated', step };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The last change of the definition that a row runs, its own or an inherited one; null when no update touched it. For
 * rows that are known not to run a definition of their own.
 */
export function changeOf({
  suite,
  testId,
}: {
  suite: Pick<Suite, 'edits' | 'changed'>;
  testId: string;
}): ChangedTest | null {
  const file = fileOf(testId);
  const name = qualifiedNameOf(testId);
  const own = suite.changed.findLast(
    (change) => change.op !== 'delete' && change.file === file && change.name === name,
  );
  return own ?? inheritedChange({ suite, testId, originalTests: NONE });
}

/**
 * The change of a method that a test class inherits, told by the method's name: a created one for a test that the
 * repository did not have, an updated one in a file that is no test module itself.
 */
function inheritedChange({
  suite,
  testId,
  originalTests,
}: {
  suite: Pick<Suite, 'edits' | 'changed'>;
  testId: string;
  originalTests: ReadonlySet<string>;
}): ChangedTest | null {
  const file = fileOf(testId);
  const name = qualifiedNameOf(testId);
  const method = methodOf(name);
  if (method === null || suite.changed.some((change) => isOwnChange({ change, file, name }))) return null;
  const found = suite.changed.findLast((change) => {
    if (change.op === 'delete' || methodOf(change.name) !== method || !isBeside({ definition: change.file, file }))
      return false;
    const created = wasCreated({ suite, file: change.file, name: change.name });
    return created ? !originalTests.has(testId) : !/(^|\/)test_[^/]*$/.test(change.file);
  });
  return found ?? null;
}

/** Name of a test method; null for a function at module level and for what is no test. */
function methodOf(name: string): string | null {
  const segments = name.split('::');
  const last = segments.at(-1) ?? '';
  return segments.length > 1 && /^test/i.test(last) ? last : null;
}

/** Test classes inherit from their own folder or one above it. */
function isBeside({ definition, file }: { definition: string; file: string }): boolean {
  return file.startsWith(definition.slice(0, definition.lastIndexOf('/') + 1));
}

function isOwnChange({ change, file, name }: { change: ChangedTest; file: string; name: string }): boolean {
  return change.op !== 'delete' && change.file === file && covers({ definition: change.name, name });
}

/** A new helper cannot reach a test that does not name it, hence only updates count. */
function isSharedChange({ change, file, name }: { change: ChangedTest; file: string; name: string }): boolean {
  const segments = change.name.split('::');
  const isTest = /^test/i.test(segments.at(-1) ?? '');
  if (change.op !== 'update' || isTest) return false;
  if (isConftestAbove({ conftest: change.file, file })) return true;
  const owner = segments.slice(0, -1).join('::');
  return change.file === file && (owner === '' || covers({ definition: owner, name }));
}

function isConftestAbove({ conftest, file }: { conftest: string; file: string }): boolean {
  if (conftest === 'conftest.py') return true;
  return conftest.endsWith('/conftest.py') && file.startsWith(conftest.slice(0, -'conftest.py'.length));
}

function wasCreated({ suite, file, name }: { suite: Pick<Suite, 'edits'>; file: string; name: string }): boolean {
  return suite.edits.some((edit) =>
    edit.operations.some((operation) => isCreation(operation) && operation.file === file && creates(operation, name)),
  );
}

const isCreation = (operation: Operation): operation is Extract<Operation, { op: 'create' }> =>
  operation.op === 'create';

const creates = (operation: Extract<Operation, { op: 'create' }>, name: string): boolean =>
  covers({ definition: operation.className ? `${operation.className}::${operation.name}` : operation.name, name });

/** A definition covers itself and, when it is a class, what it holds. */
const covers = ({ definition, name }: { definition: string; name: string }): boolean =>
  name === definition || name.startsWith(`${definition}::`);
