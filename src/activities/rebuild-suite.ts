import type { Suite } from '../core/suite.js';
import { type EditedSubject, editSuite } from './edit-suite.js';
import type { Services } from './services.js';

/**
 * A suite as it was after a step, made anew from the base and the list of its updates: for step 0 the suite as the
 * repository has it, for its own step the suite itself, for the one before what it was before its last update.
 *
 * `testFiles` are those of y_0. Files come out with the same bytes, and so with the same digests, as when the updates
 * were made. Throws when an update cannot be carried out again, which is a defect of ours or a base that has changed.
 */
export async function rebuildSuite({
  services,
  subject,
  testFiles,
  step,
}: {
  services: Services;
  subject: EditedSubject;
  testFiles: readonly string[];
  step: number;
}): Promise<Suite> {
  let suite: Suite = { ...subject.suite, step: 0, edits: [], files: {}, changed: [], testFiles };
  for (const [index, update] of subject.suite.edits.entries()) {
    const { step: at = index + 1, ...edit } = update;
    if (at > step) break;
    const edited = await editSuite({ services, subject: { ...subject, suite }, edit, step: at });
    if (edited.kind === 'refused') throw new Error(`Update ${at} cannot be carried out again: ${edited.reason}`);
    suite = edited.suite;
  }
  return suite;
}
