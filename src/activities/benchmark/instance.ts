import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtifactRef } from '../../core/artifact.js';
import { type InstanceSource, type PlannedInstance, patchSlots } from '../../core/benchmark-plan.js';
import type { InstanceSpec, TestEnvironment } from '../../core/instance.js';
import { STATE_FOLDERS } from '../../core/state-folder.js';
import { InputError } from '../../errors.js';
import { defaultImportRoots } from '../../repository/import-roots.js';
import { inspectRepository, type RepositoryFacts } from '../../repository/inspect-repository.js';
import { snapshotBase } from '../../repository/snapshot.js';
import { describePython } from '../../runners/python-environment.js';
import { testEnvironment } from '../../runners/test-environment.js';
import { imageNames } from '../../sandbox/docker-names.js';
import { ensureImage } from '../../sandbox/docker-pull.js';
import type { SelectionRow } from '../../swebench/datasets/selection-row.js';
import { getDocument, putDocument } from '../documents.js';
import { describeImagePython } from '../image-python.js';
import { imageRepository } from '../image-repository.js';
import { officialCommand } from '../official-command.js';
import { activityOwner, activitySignal } from '../owner.js';
import type { Services } from '../services.js';

type LocalSource = Extract<InstanceSource, { kind: 'local' }>;
type ImageSource = Extract<InstanceSource, { kind: 'docker' }>;

/** Where official images have their repository. */
const TESTBED = '/testbed';

/**
 * The instance of a row with the patches of the first n agents, as every method gets it. Empty and missing patches are no
 * candidates. The same inputs give the same instance.
 *
 * With an image it is pulled where it is missing, and its repository, interpreter and later history are looked after.
 *
 * Throws as reading the repository and the environment does; TG-I16 for an image of another base commit.
 */
export async function instanceOf({
  services,
  planned,
  n,
  runId,
}: {
  services: Services;
  planned: PlannedInstance;
  n: number;
  /** Of the item, for the containers' labels. */
  runId: string;
}): Promise<ArtifactRef> {
  const { store } = services;
  const { instanceId, source, slots } = planned;
  const row = await getDocument<SelectionRow>({ store, ref: planned.row });
  const { repository, environment } = await (source.kind === 'local'
    ? inCheckout({ services, source, row })
    : inImage({ services, source, row, runId }));
  const instance: InstanceSpec = {
    schema: 'testgrad.instance/1',
    name: instanceId,
    repository,
    issue: row.issue,
    candidates: patchSlots({ slots, n }).map(({ agent, patch }, index) => ({ id: `c${index + 1}`, agent, patch })),
    environment,
    testFiles: [],
  };
  return putDocument({ store, value: instance });
}

type Place = Pick<InstanceSpec, 'repository' | 'environment'>;

async function inCheckout({
  services,
  source,
  row,
}: {
  services: Services;
  source: LocalSource;
  row: SelectionRow;
}): Promise<Place> {
  const { store, home } = services;
  const facts = await inspectRepository({ repoDir: source.git, base: row.baseCommit });
  const workDir = join(home, STATE_FOLDERS.work);
  await mkdir(workDir, { recursive: true });
  const bytes = await snapshotBase({ repoDir: facts.topLevel, treeId: facts.treeId, workDir });
  const { topLevel: path, baseCommit, treeId } = facts;
  const bundle = await store.put({ bytes, mediaType: 'application/x-git-bundle' });
  return { repository: { path, baseCommit, treeId, bundle }, environment: await localEnvironment({ source, facts }) };
}

async function inImage({
  services,
  source,
  row,
  runId,
}: {
  services: Services;
  source: ImageSource;
  row: SelectionRow;
  runId: string;
}): Promise<Place> {
  const { instanceId, baseCommit } = row;
  const owner = activityOwner({ runId, services });
  const names = [...new Set([source.image, ...(row.image === null ? imageNames({ instanceId }) : [])])];
  const found = await ensureImage({ names, signal: activitySignal() });
  const base = await imageRepository({ services, image: found.id, mountAt: TESTBED, owner });
  if (base.parent !== baseCommit && base.head !== baseCommit) throw otherBase({ row, image: found.image, ...base });
  const description = await describeImagePython({ image: base.imageId, python: undefined, mountAt: TESTBED, owner });
  const { treeId, bundle, scratch } = base;
  const { environment } = testEnvironment({
    python: description.executable,
    description,
    command: await officialCommand({ row, scratch }),
    setupCommand: [],
    pythonPath: await defaultImportRoots({ topLevel: scratch.gitDir, treeId, prefix: '' }),
    sandbox: 'docker',
    image: found.id,
    timeoutMs: source.timeoutMs,
  });
  return {
    repository: { path: TESTBED, baseCommit, treeId, bundle },
    // What decides outcomes is the image as it came; that without later history may be made anew.
    environment: { ...environment, image: base.imageId },
  };
}

async function localEnvironment({
  source,
  facts,
}: {
  source: LocalSource;
  facts: RepositoryFacts;
}): Promise<TestEnvironment> {
  const { python, sandbox, timeoutMs } = source;
  const description = await describePython({ python, cwd: facts.topLevel });
  const root = { ...facts, prefix: '' };
  return testEnvironment({
    ...{ python, description, sandbox, timeoutMs },
    command: source.testCommand,
    setupCommand: [],
    pythonPath: source.pythonPath.length > 0 ? source.pythonPath : await defaultImportRoots(root),
  }).environment;
}

function otherBase({
  row,
  image,
  head,
  parent,
}: {
  row: SelectionRow;
  image: string;
  head: string;
  parent: string | null;
}): InputError {
  return new InputError({
    code: 'TG-I16',
    what: `${image} has commit ${head} (parent ${parent ?? 'none'}) at ${TESTBED}, which is not ${row.baseCommit}, the base commit of ${row.instanceId}, nor one above it.`,
    meaning:
      'Its candidates were made for another state of the repository. The instance did not run; nothing was spent on it.',
    fix: 'Name the image that belongs to the dataset, or a local checkout of its repository: --local-repos FILE.',
  });
}
