import { targetOf } from '../core/operation.js';
import { isSharedFile } from '../core/reach.js';
import type { ChangedTest, Operation, Suite, SuiteEdit } from '../core/suite.js';
import { isTestModule } from '../core/test-paths.js';
import { applyEdit as editFiles } from '../source/apply-edit.js';
import { canEncode, decodeSource, encodeSource } from '../source/encoding.js';
import type { Services } from './services.js';
import type { LoadedSubject } from './turn-subject.js';

/** What is edited: a suite over the files of the base. */
export type EditedSubject = Pick<LoadedSubject, 'instance' | 'suite' | 'base'>;

/** A suite with an update applied, or why it cannot be. */
export type EditResult =
  | {
      readonly kind: 'edited';
      readonly suite: Suite;
      readonly changedFiles: readonly string[];
      readonly changed: readonly ChangedTest[];
      /** Changed files that hold tests. */
      readonly testFiles: readonly string[];
      /** Other test files of the suite that may use what was changed. */
      readonly reached: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

/** Carries out the operations of an update on the suite's files, in their encodings, without running anything. */
export async function editSuite({
  services,
  subject,
  edit,
  step,
}: {
  services: Services;
  subject: EditedSubject;
  edit: SuiteEdit;
  step: number;
}): Promise<EditResult> {
  const { suite } = subject;
  const paths = [...new Set(edit.operations.map(({ file }) => file))];
  const before = new Map<string, ReturnType<typeof decodeSource>>();
  for (const path of paths) before.set(path, decodeSource({ bytes: await bytesOf({ services, subject, path }) }));
  const undecodable = paths.find((path) => before.get(path)?.kind === 'refused');
  if (undecodable !== undefined) return { kind: 'refused', reason: `${undecodable} is not text that can be edited.` };
  const texts = new Map(paths.map((path) => [path, textOf(before.get(path))]));
  const result = await editFiles({ files: texts, operations: edit.operations });
  if (result.kind === 'refused') {
    return { kind: 'refused', reason: `Operation ${result.index + 1}: ${result.reason}` };
  }
  const { runner } = subject.instance.environment;
  const unheard = edit.operations.find(
    (operation) =>
      isNewTest(operation) && texts.get(operation.file) === '' && !isTestModule({ path: operation.file, runner }),
  );
  if (unheard !== undefined) {
    return {
      kind: 'refused',
      reason: `${unheard.file} is new, and ${runner} takes no tests from a file of that name.`,
    };
  }
  const files = { ...suite.files };
  for (const path of paths) {
    const decoded = before.get(path);
    const text = result.files.get(path) ?? '';
    if (decoded?.kind !== 'decoded') continue;
    const { encoding } = decoded;
    if (!canEncode({ text, encoding })) {
      return {
        kind: 'refused',
        reason: `${path} is encoded as ${encoding}; write characters that it lacks as escapes.`,
      };
    }
    const bytes = encodeSource({ text, encoding });
    const again = decodeSource({ bytes });
    if (again.kind === 'refused' || again.encoding !== encoding) {
      return { kind: 'refused', reason: `${path} would declare another encoding than ${encoding}, which it is in.` };
    }
    files[path] = await services.store.put({ bytes, mediaType: 'text/x-python' });
  }
  const changed = result.changed.map((each): ChangedTest => ({ ...each, step }));
  const earlier = suite.changed.filter(
    (old) => !changed.some((each) => each.file === old.file && each.name === old.name),
  );
  const testFiles = paths.filter((path) => suite.testFiles.includes(path) || isTestModule({ path, runner }));
  const edited: Suite = {
    ...suite,
    step,
    edits: [...suite.edits, { ...edit, step }],
    files,
    changed: [...earlier, ...changed],
    testFiles: [...new Set([...suite.testFiles, ...testFiles])],
  };
  const isShared = paths.some((file) => isSharedFile({ suite: edited, file }));
  const reached = isShared ? suite.testFiles.filter((file) => !testFiles.includes(file)) : [];
  return { kind: 'edited', suite: edited, changedFiles: paths, changed, testFiles, reached };
}

/** Classes may be there for others to inherit from. */
const isNewTest = (operation: Operation): boolean =>
  operation.op === 'create' && operation.className === undefined && /^test/.test(targetOf(operation));

const textOf = (decoded: ReturnType<typeof decodeSource> | undefined): string =>
  decoded?.kind === 'decoded' ? decoded.text : '';

async function bytesOf({
  services,
  subject,
  path,
}: {
  services: Services;
  subject: EditedSubject;
  path: string;
}): Promise<Uint8Array> {
  const edited = subject.suite.files[path];
  if (edited !== undefined) return services.store.get(edited);
  return (await subject.base.bytes(path)) ?? new Uint8Array();
}
