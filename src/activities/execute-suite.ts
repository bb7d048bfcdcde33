import { Context } from '@temporalio/activity';
import { BASE } from '../core/candidate.js';
import type { CandidateOutcomes, FileOutcome } from '../core/outcome.js';
import type { Suite } from '../core/suite.js';
import { openColumn } from './column.js';
import type { ExecuteSuiteInput, ExecuteSuiteResult } from './contract.js';
import { getDocument, getInstance, type Prepared, putDocument, usableCandidate } from './documents.js';
import { executeUnkept } from './execute-file.js';
import { importsOwnCode, withOwnCode } from './import-check.js';
import { activityOwner, activitySignal, leaveWhenStopping } from './owner.js';
import type { Services } from './services.js';

/**
 * Runs the suite's test files, or some of them, on one column, one sandbox a file.
 *
 * A file whose outcome is stored is not run again, whoever ran it: that is also how an attempt goes on behind a dead
 * one. What keeps a candidate's tests from running on its own code is the candidate's failure, and ends nobody else's
 * run. Heartbeats say where it stands. Throws SandboxError TG-S08 or TG-S10 for the base.
 */
export async function executeSuite({
  services,
  input,
}: {
  services: Services;
  input: ExecuteSuiteInput;
}): Promise<ExecuteSuiteResult> {
  const { store } = services;
  const [instance, prepared, suite] = await Promise.all([
    getInstance({ store, ref: input.instance }),
    getDocument<Prepared>({ store, ref: input.prepared }),
    getDocument<Suite>({ store, ref: input.suite }),
  ]);
  const { column } = input;
  const candidate = column.id === BASE ? null : usableCandidate({ prepared, id: column.id });
  const signal = activitySignal();
  const owner = activityOwner({ runId: input.runId, services });
  const place = await openColumn({ services, instance, column, candidate, owner, signal });

  const files = input.files ?? suite.testFiles;
  const outcomes: FileOutcome[] = [];
  let reused = 0;
  for (const file of files) {
    leaveWhenStopping(services);
    Context.current().heartbeat({ phase: 'run', column: column.id, file, done: outcomes.length, total: files.length });
    if (place.kind === 'not-set-up') {
      outcomes.push({ file, state: 'not-collected', reason: place.reason, outcomes: [], imports: {}, durationMs: 0 });
      reused += 1;
      continue;
    }
    const one = await executeUnkept({
      services,
      instance,
      suite,
      treeId: column.treeId,
      tree: place.tree,
      image: place.image,
      file,
      rerun: input.rerun,
      mode: 'run',
      probeModules: prepared.probeModules,
      owner,
      signal,
    });
    if (candidate === null) importsOwnCode({ instance, outcome: one.outcome });
    const outcome = await one.keep();
    outcomes.push(candidate === null ? outcome : withOwnCode(outcome));
    reused += one.reused ? 1 : 0;
  }
  const value: CandidateOutcomes = { schema: 'testgrad.outcomes/1', candidate: column.id, files: outcomes };
  return { outcomes: await putDocument({ store, value }), executed: files.length - reused, reused };
}
