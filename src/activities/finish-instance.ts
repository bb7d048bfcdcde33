import { join } from 'node:path';
import type { ArtifactRef } from '../core/artifact.js';
import type { Decision } from '../core/decision.js';
import { DECISION_KIND, STATE_FOLDERS } from '../core/state-folder.js';
import type { Suite } from '../core/suite.js';
import { writeRunFolder } from '../report/run-folder.js';
import { loadRunRecord } from '../report/run-record.js';
import { materialisedBase } from './base-files.js';
import type { FinishInstanceInput } from './contract.js';
import { decidingFiles } from './deciding-files.js';
import { getDocument, getInstance, putDocument } from './documents.js';
import type { Services } from './services.js';

/**
 * Writes the run folder and binds the result record: from then on the same command is answered from the store.
 *
 * Idempotent: the folder first, each file in one step, then the record; the first record wins.
 */
export async function finishInstance({
  services,
  input,
}: {
  services: Services;
  input: FinishInstanceInput;
}): Promise<{ readonly decision: ArtifactRef; readonly runDir: string }> {
  const { store } = services;
  const { decision, trail } = input;
  const instance = await getInstance({ store, ref: input.instance });
  const base = await materialisedBase({ services, instance });
  const last = trail.suites.at(-1);
  const suite = last === undefined ? null : await getDocument<Suite>({ store, ref: last });
  const record = await loadRunRecord({
    decision,
    trail,
    instance,
    decidingFiles: suite === null ? [] : await decidingFiles({ suite, decision, base }),
    read: (ref) => store.get(ref),
    readBase: base.text,
  });
  const runDir = join(services.home, STATE_FOLDERS.runs, input.runId);
  await writeRunFolder({ dir: runDir, record });
  const ref = await putDocument({ store, value: decision satisfies Decision });
  const bound = await store.bind({ kind: DECISION_KIND, key: input.runId, ref });
  return { decision: bound.ref, runDir };
}
