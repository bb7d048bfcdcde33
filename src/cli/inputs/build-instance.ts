import { basename, join, resolve } from 'node:path';
import type { ArtifactStore } from '../../artifacts/store.js';
import { putJson } from '../../artifacts/values.js';
import type { ArtifactRef } from '../../core/artifact.js';
import type { CandidateInput } from '../../core/candidate.js';
import type { InstanceSpec } from '../../core/instance.js';
import { safeLine } from '../../report/safe-text.js';
import { inspectRepository, type RepositoryFacts } from '../../repository/inspect-repository.js';
import { snapshotBase } from '../../repository/snapshot.js';
import type { Invocation } from '../invocation.js';
import { makeHome } from '../places.js';
import type { InstanceRunKind } from '../run-identity.js';
import { buildEnvironment } from './build-environment.js';
import { chooseBase } from './choose-base.js';
import { basePaths } from './import-roots.js';
import { nameCandidates, readCandidates } from './read-candidates.js';
import { issueTitle, readIssue } from './read-issue.js';

function notes({ facts, base }: { facts: RepositoryFacts; base: string }): string[] {
  const files = facts.dirtyFiles === 1 ? '1 changed file' : `${facts.dirtyFiles} changed files`;
  return [
    ...(facts.dirtyFiles > 0
      ? [`Note: the working tree has ${files}, which are part of no candidate; the base is ${base} as committed.`]
      : []),
    ...(facts.hasSubmodules ? ['Note: the base has submodules; their content is left out.'] : []),
  ];
}

/**
 * Checks all inputs, the cheap ones first, and stores them: the same inputs give the same instance. The repository is
 * only read. Throws the first problem it meets, before anything is started.
 */
export async function buildInstance({
  invocation,
  home,
  store,
  kind,
}: {
  invocation: Invocation;
  home: string;
  store: ArtifactStore;
  kind: InstanceRunKind;
}): Promise<{ instance: InstanceSpec; instanceRef: ArtifactRef }> {
  const { values, cwd, terminal } = invocation;
  const repoDir = resolve(cwd, values.text('repo') ?? '.');
  const [patches, branches] = [values.texts('patch'), values.texts('branch')];
  const named = nameCandidates({ patches, branches, allowSingle: values.on('allowSingle'), verb: kind, cwd });
  const issueGiven = values.text('issue');
  const issue =
    kind === 'matrix' && issueGiven === undefined
      ? ''
      : await readIssue({ given: issueGiven, cwd, stdin: process.stdin });
  const base = await chooseBase({ given: values.text('base'), branches, repoDir });
  const facts = await inspectRepository({ repoDir, base });
  const read = await readCandidates({ named, cwd, repoDir, base: facts.baseCommit });
  const testFiles = await basePaths({ base: facts, given: values.texts('testFile'), flag: '--test-file' });
  const { environment, mountAt } = await buildEnvironment({ invocation, facts, repoDir, home });
  for (const note of notes({ facts, base: facts.baseCommit.slice(0, 10) })) terminal.note(note);

  await makeHome(home);
  const workDir = join(home, 'work');
  const bundle = await snapshotBase({ repoDir, treeId: facts.treeId, workDir });
  const candidates: CandidateInput[] = [];
  for (const [index, { agent, bytes }] of read.entries()) {
    candidates.push({ id: `c${index + 1}`, agent, patch: await store.put({ bytes, mediaType: 'text/x-diff' }) });
  }
  const repository = basename(facts.topLevel);
  const title = safeLine(issueTitle(issue));
  const instance: InstanceSpec = {
    schema: 'testgrad.instance/1',
    name: title === '' ? repository : `${repository}: ${title}`,
    repository: {
      path: mountAt,
      baseCommit: facts.baseCommit,
      treeId: facts.treeId,
      bundle: await store.put({ bytes: bundle, mediaType: 'application/x-git-bundle' }),
    },
    issue,
    candidates,
    environment,
    testFiles,
  };
  return { instance, instanceRef: await putJson({ store, value: instance }) };
}
