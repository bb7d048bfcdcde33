import type { Container } from './docker-container.js';
import { createContainer, putItems, removeContainer } from './docker-container.js';
import { answerOf, connectDocker, type Docker } from './docker-daemon.js';
import { brokenBy, isNotFound } from './docker-failure.js';
import { imageIdOf, imageTree } from './docker-image-tree.js';
import { collectOutputs } from './docker-outputs.js';
import { requestItems } from './docker-request.js';
import { fetchScratch } from './docker-scratch.js';
import { diskTrouble, outOfMemory, outsideKill } from './docker-trouble.js';
import { exitOfProgram, watchLimits } from './docker-watch.js';
import type { SandboxExit, SandboxRequest, SandboxResult } from './types.js';

/** How long a container may take to be made, filled and cleared away. */
const HANDLING_MS = 10 * 60_000;
/** How long output may still arrive after a kill. */
const DRAIN_MS = 2_000;
/** How long a container may be seen running after its outputs have ended. */
const SETTLE_MS = 10_000;

/**
 * Runs a request in a fresh container of its image, which is gone afterwards, and of which nothing stays but the
 * scratch directory's files. The tree lies over the image's own repository: files that git does not know there, such as
 * compiled modules, stay. What the program does to the tree is lost.
 *
 * Differs from the other kinds in that the image's own variables are there beneath the request's, and read-only paths
 * are copies that root inside may change.
 */
export async function runInDocker(request: SandboxRequest): Promise<SandboxResult> {
  const startedAt = performance.now();
  const nothing = { stdout: '', stderr: '', truncated: false };
  const ended = (exit: SandboxExit, texts = nothing): SandboxResult => ({
    exit,
    ...texts,
    durationMs: performance.now() - startedAt,
  });
  const { docker: settings, owner, limits, mountAt, env } = request;
  if (settings === undefined) return ended({ kind: 'broken', reason: 'no image is named' });
  let container: Container | null = null;
  try {
    const docker = await connectDocker();
    const imageId = await imageIdOf(settings.image);
    const { items, argv } = await requestItems({ request, tree: await imageTree({ imageId, mountAt, owner }) });
    const lifetimeMs = limits.timeoutMs + HANDLING_MS;
    const plan = {
      image: imageId,
      argv,
      env,
      workingDir: mountAt,
      limits,
      cpus: settings.cpus ?? 1,
      lifetimeMs,
      owner,
    };
    container = await createContainer({ docker, plan });
    const missing = await missingProgram({ container, request });
    if (missing !== null) return ended({ kind: 'broken', reason: missing });
    await putItems({ container, items });
    const run = await supervise({ docker, container, request });
    if (run.stopped?.kind !== 'cancelled') await fetchScratch({ container, scratchDir: request.scratchDir });
    const gone = await removeContainer({ container });
    if (gone) container = null;
    return ended(
      gone ? (run.stopped ?? run.exit) : { kind: 'broken', reason: 'the container could not be removed' },
      run.texts,
    );
  } catch (error) {
    return ended(brokenBy(error));
  } finally {
    if (container !== null) await removeContainer({ container });
  }
}

/** Why the program cannot start; null when it can, or when only the container itself could tell. */
async function missingProgram({
  container,
  request,
}: {
  container: Container;
  request: SandboxRequest;
}): Promise<string | null> {
  const [program] = request.argv;
  if (program === undefined) return 'no program to start';
  if (!program.startsWith('/')) return null;
  try {
    await answerOf(container.infoArchive({ path: program }));
    return null;
  } catch (error) {
    if (isNotFound(error)) return `${program} cannot be executed: it is not in the image`;
    throw error;
  }
}

interface Run {
  /** Why we stopped it; null when it ended by itself. */
  readonly stopped: SandboxExit | null;
  readonly exit: SandboxExit;
  readonly texts: { readonly stdout: string; readonly stderr: string; readonly truncated: boolean };
}

async function supervise({
  docker,
  container,
  request,
}: {
  docker: Docker;
  container: Container;
  request: SandboxRequest;
}): Promise<Run> {
  const { limits, signal } = request;
  const connection = await answerOf(container.attach({ stream: true, stdout: true, stderr: true, hijack: true }));
  const outputs = collectOutputs({ connection, maxBytes: limits.maxOutputBytes });
  try {
    await answerOf(container.start());
    const watch = watchLimits({ container, limits, signal });
    const stopped = await Promise.race([outputs.ended.then(() => null), watch.reached]);
    watch.end();
    // Everything in it ends with its first process; what it had written until then is looked at.
    if (stopped !== null) {
      await answerOf(container.kill()).catch(() => undefined);
      await answerOf(outputs.ended, DRAIN_MS).catch(() => undefined);
    }
    const exit = stopped ?? (await exitOf({ docker, container, request }));
    return { stopped, exit, texts: outputs.texts() };
  } finally {
    outputs.close();
  }
}

async function exitOf({
  docker,
  container,
  request,
}: {
  docker: Docker;
  container: Container;
  request: SandboxRequest;
}): Promise<SandboxExit> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const { State: state } = await answerOf(container.inspect());
    if (state.OOMKilled) return outOfMemory(request.limits);
    if (state.Error !== '') return brokenBy(new Error(state.Error));
    if (!state.Running) {
      const code = state.ExitCode;
      const trouble = (await outsideKill({ docker, id: container.id, state })) ?? (await diskTrouble({ docker, code }));
      return trouble ?? exitOfProgram(code);
    }
    if (performance.now() > until)
      return { kind: 'broken', reason: 'the connection to the container broke', infra: 'daemon' };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
