import { putText } from '../artifacts/values.js';
import type { ChangedTest, Suite, SuiteEdit } from '../core/suite.js';
import { refusedMessage } from '../methods/testgrad/corrections.js';
import { erasedEvidence } from '../methods/testgrad/erased-evidence.js';
import { parseToolCall } from '../methods/testgrad/optimizer-tools.js';
import { checkSubmission } from '../methods/testgrad/submission.js';
import { applyEdit as editFiles } from '../source/apply-edit.js';
import { canEncode, decodeSource, encodeSource } from '../source/encoding.js';
import { collects } from './collect-check.js';
import type { ApplyEditInput, ApplyEditResult } from './contract.js';
import { callOf } from './conversation.js';
import { type Conversation, getDocument, putDocument } from './documents.js';
import type { Services } from './services.js';
import { type LoadedSubject, loadSubject } from './turn-subject.js';

/**
 * Checks a submission before it costs an iteration and makes y_{t+1} = y_t + edit: protocol, paths, evidence of deletes,
 * the edit itself, and that the changed files can be collected somewhere. A refused one is answered with the reasons.
 */
export async function applyEdit({
  services,
  input,
}: {
  services: Services;
  input: ApplyEditInput;
}): Promise<ApplyEditResult> {
  const { store } = services;
  const conversation = await getDocument<Conversation>({ store, ref: input.conversation });
  const call = callOf({ conversation, callId: input.callId });
  const refuse = async (reasons: readonly string[], direction = ''): Promise<ApplyEditResult> => ({
    kind: 'refused',
    reason: reasons.join(' ').slice(0, 1000),
    direction: direction.slice(0, 500),
    result: await putText({ store, text: refusedMessage(reasons) }),
  });

  const parsed = parseToolCall({ name: call.name, argumentsText: call.argumentsText, allowed: ['submit_update'] });
  if (parsed.kind === 'invalid') return refuse([parsed.reason]);
  if (parsed.name !== 'submit_update') return refuse(['Only submit_update can be applied.']);
  const subject = await loadSubject({ services, input });
  const checked = checkSubmission({
    edit: parsed.arguments,
    context: { issue: subject.instance.issue, matrix: subject.matrix },
  });
  if (checked.kind === 'refused') return refuse(checked.refusals, parsed.arguments.failedDirection);
  const { edit } = checked;

  const edited = await editSuite({ services, subject, edit, step: input.step + 1 });
  if (edited.kind === 'refused') return refuse([edited.reason], edit.failedDirection);
  const erased = erasedEvidence({ changed: edited.changed, matrix: subject.matrix });
  if (erased.length > 0) return refuse(erased, edit.failedDirection);
  const collected = await collects({ services, input, subject, suite: edited.suite, files: edited.testFiles });
  if (collected.kind === 'refused') return refuse([collected.reason], edit.failedDirection);

  return {
    kind: 'applied',
    suite: await putDocument({ store, value: edited.suite }),
    changedFiles: edited.changedFiles,
    operations: edited.changed.map(({ op, file, name }) => `${op} ${file}::${name}`.slice(0, 200)),
    diagnosis: edit.diagnosis.slice(0, 500),
    failedDirection: edit.failedDirection.slice(0, 500),
  };
}

type EditedSuite =
  | {
      readonly kind: 'edited';
      readonly suite: Suite;
      readonly changedFiles: readonly string[];
      readonly changed: readonly ChangedTest[];
      /** Changed files that hold tests. */
      readonly testFiles: readonly string[];
    }
  | { readonly kind: 'refused'; readonly reason: string };

async function editSuite({
  services,
  subject,
  edit,
  step,
}: {
  services: Services;
  subject: LoadedSubject;
  edit: SuiteEdit;
  step: number;
}): Promise<EditedSuite> {
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
  const files = { ...suite.files };
  for (const path of paths) {
    const decoded = before.get(path);
    const text = result.files.get(path) ?? '';
    if (decoded?.kind !== 'decoded') continue;
    if (!canEncode({ text, encoding: decoded.encoding })) {
      return {
        kind: 'refused',
        reason: `${path} is not encoded as UTF-8; write characters that it cannot hold as escapes.`,
      };
    }
    files[path] = await services.store.put({
      bytes: encodeSource({ text, encoding: decoded.encoding }),
      mediaType: 'text/x-python',
    });
  }
  const changed = result.changed.map((each): ChangedTest => ({ ...each, step }));
  const earlier = suite.changed.filter(
    (old) => !changed.some((each) => each.file === old.file && each.name === old.name),
  );
  const testFiles = paths.filter((path) => /(^|\/)(test_[^/]*|[^/]*_test|tests)\.py$/.test(path));
  return {
    kind: 'edited',
    suite: {
      ...suite,
      step,
      edits: [...suite.edits, edit],
      files,
      changed: [...earlier, ...changed],
      testFiles: [...new Set([...suite.testFiles, ...testFiles])],
    },
    changedFiles: paths,
    changed,
    testFiles,
  };
}

const textOf = (decoded: ReturnType<typeof decodeSource> | undefined): string =>
  decoded?.kind === 'decoded' ? decoded.text : '';

async function bytesOf({
  services,
  subject,
  path,
}: {
  services: Services;
  subject: LoadedSubject;
  path: string;
}): Promise<Uint8Array> {
  const edited = subject.suite.files[path];
  if (edited !== undefined) return services.store.get(edited);
  return (await subject.base.bytes(path)) ?? new Uint8Array();
}
