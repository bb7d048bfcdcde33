import type { InstanceSpec } from '../core/instance.js';
import { EnvironmentError, type SandboxError } from '../errors.js';
import { baseEnvironment } from '../runners/plan.js';
import { ensureSnapshot } from '../sandbox/docker-snapshot.js';
import type { SandboxOwner } from '../sandbox/sandbox.js';
import { DOCKER, sandboxBroke } from './broken-sandbox.js';
import { SetUpFailure } from './set-up.js';

const OUTPUT_BYTES = 64 * 1024;

/**
 * The image that holds a column's tree with the user's set-up done; its id. Rejects with a {@link SetUpFailure}, also
 * where the set-up was killed for want of memory, or with TG-S09 when Docker or the machine failed, TG-E01
 * when Docker cannot be reached.
 */
export async function columnImage({
  instance,
  tree,
  owner,
  signal,
}: {
  instance: InstanceSpec;
  /** The column's tree on this host. */
  tree: string;
  owner: SandboxOwner;
  signal: AbortSignal;
}): Promise<string> {
  const { environment, repository } = instance;
  const { image = '', setupCommand, limits } = environment;
  const mountAt = repository.path;
  const env = baseEnvironment({ environment, root: mountAt });
  const setUp = setupCommand.length === 0 ? null : { argv: setupCommand, env };
  const bounds = { ...limits, maxOutputBytes: OUTPUT_BYTES };
  const snapshot = await ensureSnapshot({ image, treeDir: tree, mountAt, setUp, limits: bounds, owner, signal }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      throw brokenDocker(error);
    },
  );
  if (snapshot.kind === 'ready') return snapshot.imageId;
  const { exit, stderr } = snapshot.result;
  throw new SetUpFailure({ exit, stderr, reported: stderr });
}

function brokenDocker(cause: unknown): SandboxError | EnvironmentError {
  if (cause instanceof EnvironmentError) return cause;
  return sandboxBroke({
    what: `Docker could not make the image of a candidate's tree: ${String((cause as Error).message ?? cause)}`,
    lookAt: DOCKER,
    cause,
  });
}
