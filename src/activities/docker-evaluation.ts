import { imageNames } from '../sandbox/docker-names.js';
import { ensureImage } from '../sandbox/docker-pull.js';
import { openSession } from '../sandbox/docker-session.js';
import { ownerOfThisProcess } from '../sandbox/owner.js';
import type { SandboxLimits } from '../sandbox/types.js';
import type { OpenPlace } from '../swebench/evaluate/place.js';
import { IMAGE_LAYOUT } from '../swebench/scripts/place.js';
import { scriptResult } from './local-evaluation.js';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** How instances are evaluated in their official images, or in images that are laid out like them. */
export interface DockerEvaluation {
  /** Registry namespace; null for images that were built on this machine. */
  readonly namespace?: string | null;
  readonly tag?: string;
  /** Names the run in containers' labels. */
  readonly runId: string;
  /** After it, and some time more, a container may be cleared away by anyone. */
  readonly lifetimeMs: number;
  /** Of a container; default 16 GiB. */
  readonly memoryBytes?: number;
  /** Default 4,096. */
  readonly maxProcesses?: number;
  /** Processors of a container; default 1. */
  readonly cpus?: number;
  /** True for images whose interpreter is a later one than the official image's; default false. */
  readonly laterInterpreter?: boolean;
  /** Called with what a pull is at. */
  readonly onPull?: (text: string) => void;
}

/**
 * Places in fresh containers of the instances' images, without a network: the row's own image where it names one, else
 * the official one, pulled where it is missing. `open` rejects as {@link ensureImage} and Docker do.
 */
export function dockerPlaces({
  runId,
  namespace,
  tag,
  lifetimeMs,
  memoryBytes = 16 * 1024 ** 3,
  maxProcesses = 4_096,
  cpus = 1,
  laterInterpreter = false,
  onPull,
}: DockerEvaluation): OpenPlace {
  return async ({ instance, signal }) => {
    const names = imageNames({
      instanceId: instance.instanceId,
      ...(instance.image === null ? {} : { image: instance.image }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(tag === undefined ? {} : { tag }),
    });
    const { id } = await ensureImage({
      names,
      ...(onPull === undefined ? {} : { onProgress: onPull }),
      ...(signal === undefined ? {} : { signal }),
    });
    const limits: SandboxLimits = {
      timeoutMs: lifetimeMs,
      memoryBytes,
      maxProcesses,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    };
    const owner = ownerOfThisProcess({ runId, activityId: 'evaluate' });
    const session = await openSession({ image: id, workingDir: IMAGE_LAYOUT.root, limits, cpus, lifetimeMs, owner });
    return {
      layout: { ...IMAGE_LAYOUT, hasRecordedNames: !laterInterpreter },
      put: (files) =>
        session.put(files.map(({ path, bytes }) => ({ kind: 'file' as const, path, content: bytes, mode: 0o644 }))),
      bash: async ({ path, timeoutMs, signal: stop }) =>
        scriptResult(
          await session.run({ argv: ['/bin/bash', path], merged: true, limits: { timeoutMs }, signal: stop }),
        ),
      close: async () => {
        if (!(await session.close())) throw new Error(`the container ${session.id} could not be removed`);
      },
    };
  };
}
