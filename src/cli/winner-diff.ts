import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openRepository } from '../activities/open-repository.js';
import type { ArtifactStore } from '../artifacts/store.js';
import { getJson } from '../artifacts/values.js';
import type { Decision } from '../core/decision.js';
import type { InstanceSpec } from '../core/instance.js';
import { ResultError } from '../errors.js';
import { shortRunId } from '../report/short-run-id.js';
import { applyCandidate } from '../repository/apply-candidate.js';
import { normalisePatch } from '../repository/normalise-patch.js';
import { renderSections } from '../repository/patch-sections.js';
import { fromPatchText, textToPatch } from '../repository/patch-text.js';
import type { Scratch } from '../repository/scratch.js';
import { diffTrees } from '../repository/tree-diff.js';
import { runFolder } from './places.js';

/** What `apply` puts into a tree. */
export interface WinnerDiff {
  readonly agent: string;
  /** Against the base, which it names the files of in full: git can merge with it. */
  readonly diff: Uint8Array;
  /** Paths that it touches. */
  readonly files: readonly string[];
  /** Files of the deciding test, when it is part of the diff. */
  readonly testFiles: readonly string[];
  /** The candidate's own changes to these files are left out: the deciding test is in them. */
  readonly replaced: readonly string[];
}

const cannotApply = ({ runId, what, fix }: { runId: string; what: string; fix: string }): ResultError =>
  new ResultError({
    code: 'TG-R04',
    what: `Run ${shortRunId(runId)}: ${what}`,
    meaning: 'The working tree was not changed.',
    fix,
  });

/**
 * The selected candidate's whole change as an exact diff against the base, its own tests included; `withTest` adds the
 * deciding test from the run's folder.
 *
 * Throws TG-R04 when nothing was selected or when there is no test to add.
 */
export async function winnerDiff({
  store,
  home,
  decision,
  instance,
  withTest,
}: {
  store: ArtifactStore;
  home: string;
  decision: Decision;
  instance: InstanceSpec;
  withTest: boolean;
}): Promise<WinnerDiff> {
  const { runId } = decision;
  const winner = instance.candidates.find((candidate) => candidate.id === decision.selectedId);
  if (winner === undefined) {
    throw cannotApply({
      runId,
      what: 'no candidate was selected.',
      fix: `See why: testgrad show ${shortRunId(runId)}.`,
    });
  }
  const scratch = await openRepository({ services: { home, store }, instance });
  const whole = await exactDiff({ scratch, runId, patch: await store.get(winner.patch) });
  const own = sectionsOf(whole);
  const { agent } = winner;
  if (!withTest) return { agent, diff: whole, files: own.map(({ path }) => path), testFiles: [], replaced: [] };
  const test = await decidingTest({ home, runId });
  const testFiles = sectionsOf(test).map(({ path }) => path);
  const kept = own.filter(({ path }) => !testFiles.includes(path));
  const both = Buffer.concat([textToPatch(renderSections(kept.map(({ section }) => section))), test]);
  return {
    agent,
    diff: await exactDiff({ scratch, runId, patch: both }),
    files: [...kept.map(({ path }) => path), ...testFiles],
    testFiles,
    replaced: own.filter(({ path }) => testFiles.includes(path)).map(({ path }) => path),
  };
}

/** What a patch makes of the base, as git writes it. */
async function exactDiff({
  scratch,
  runId,
  patch,
}: {
  scratch: Scratch;
  runId: string;
  patch: Uint8Array;
}): Promise<Uint8Array> {
  const { gitDir, treeId } = scratch;
  const applied = await applyCandidate({ scratch, baseTreeId: treeId, patch });
  if (applied.kind === 'usable') return diffTrees({ gitDir, from: treeId, to: applied.fullTreeId, renames: false });
  throw cannotApply({
    runId,
    what: applied.detail,
    fix: 'Run select again; the stored patch does not fit its base.',
  });
}

function sectionsOf(diff: Uint8Array) {
  const normalised = normalisePatch({ bytes: diff });
  if (normalised.kind === 'excluded') return [];
  return normalised.sections.map((section) => ({ section, path: fromPatchText(section.path) }));
}

async function decidingTest({ home, runId }: { home: string; runId: string }): Promise<Buffer> {
  try {
    return await readFile(join(runFolder({ home, runId }), 'deciding-test.diff'));
  } catch {
    throw cannotApply({
      runId,
      what: 'there is no new or changed test that decided.',
      fix: `Apply the patch alone: testgrad apply ${shortRunId(runId)}.`,
    });
  }
}

/** The instance of a decision. */
export const instanceOf = ({ store, decision }: { store: ArtifactStore; decision: Decision }): Promise<InstanceSpec> =>
  getJson<InstanceSpec>({ store, ref: { digest: decision.artifacts.instance } });
