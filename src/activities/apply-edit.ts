import { putText } from '../artifacts/values.js';
import { partsOf } from '../core/ablation.js';
import { countTests } from '../core/count-tests.js';
import { refusedMessage } from '../methods/testgrad/corrections.js';
import { erasedEvidence } from '../methods/testgrad/erased-evidence.js';
import { parseToolCall } from '../methods/testgrad/optimizer-tools.js';
import { checkSubmission } from '../methods/testgrad/submission.js';
import { withheld } from '../methods/testgrad/withheld.js';
import { collects } from './collect-check.js';
import type { ApplyEditInput, ApplyEditResult } from './contract.js';
import { callOf } from './conversation.js';
import { type Conversation, getDocument, putDocument } from './documents.js';
import { editSuite } from './edit-suite.js';
import type { Services } from './services.js';
import { loadSubject } from './turn-subject.js';

/**
 * Checks a submission before it costs an iteration and makes y_{t+1} = y_t + edit: protocol, paths, evidence of deletes,
 * the edit itself, and that the files it reaches can be collected somewhere. A refused one is answered with the reasons.
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
  const notOffered = withheld({ edit: parsed.arguments, parts: partsOf(input.settings) });
  if (notOffered.length > 0) return refuse(notOffered, parsed.arguments.failedDirection);
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
  const collected = await collects({ services, input, subject, edited });
  if (collected.kind === 'refused') return refuse([collected.reason], edit.failedDirection);

  return {
    kind: 'applied',
    suite: await putDocument({ store, value: edited.suite }),
    testFiles: edited.suite.testFiles.length,
    tests: countTests({ testFiles: edited.suite.testFiles, matrix: subject.matrix, collected: collected.tests }),
    changedFiles: edited.changedFiles,
    operations: edited.changed.map(({ op, file, name }) => `${op} ${file}::${name}`.slice(0, 200)),
    diagnosis: edit.diagnosis.slice(0, 500),
    failedDirection: edit.failedDirection.slice(0, 500),
  };
}
