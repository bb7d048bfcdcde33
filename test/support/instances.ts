import { buildInstance } from '../../src/cli/inputs/build-instance.js';
import { openStore } from '../../src/cli/places.js';
import type { ArtifactRef } from '../../src/core/artifact.js';
import type { InstanceSpec, TestEnvironment } from '../../src/core/instance.js';
import { quietInvocation } from './invocation.js';
import type { MiniProject } from './mini-project.js';
import { hasBubblewrap } from './sandboxes.js';

/** Bubblewrap where this machine has it; else a plain subprocess, and a line that says so. */
export async function sandboxHere(): Promise<TestEnvironment['sandbox']> {
  return (await hasBubblewrap()) ? 'bubblewrap' : 'none';
}

/** Stores the instance that the command line would make of a project and some of its patches, by agent. */
export async function storeInstance({
  home,
  project,
  python,
  sandbox,
  agents = Object.keys(project.patches),
  flags = {},
}: {
  home: string;
  project: MiniProject;
  python: string;
  sandbox: TestEnvironment['sandbox'];
  agents?: readonly string[];
  /** More options by name, as the command line parses them. */
  flags?: Readonly<Record<string, unknown>>;
}): Promise<{ readonly instance: InstanceSpec; readonly instanceRef: ArtifactRef }> {
  const invocation = quietInvocation({
    verb: 'select',
    flags: {
      repo: project.repoDir,
      issue: project.issueFile,
      patch: agents.map((agent) => `${agent}=${project.patches[agent]}`),
      allowSingle: true,
      python,
      sandbox,
      ...flags,
    },
  });
  return buildInstance({ invocation, home, store: await openStore(home), kind: 'select' });
}
