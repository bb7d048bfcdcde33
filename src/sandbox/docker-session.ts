import type { Container } from './docker-container.js';
import { COPY_MS, createContainer, putItems, removeContainer } from './docker-container.js';
import { answerOf, connectDocker, type Docker } from './docker-daemon.js';
import { brokenBy } from './docker-failure.js';
import { collectOutputs } from './docker-outputs.js';
import type { TarItem, UnpackedItem } from './docker-tar.js';
import { unpackItems } from './docker-tar.js';
import { diskTrouble, outOfMemory } from './docker-trouble.js';
import { exitOfProgram, watchLimits } from './docker-watch.js';
import type { SandboxExit, SandboxLimits, SandboxOwner, SandboxResult } from './types.js';

/** One program in an open container. */
export interface SessionProgram {
  readonly argv: readonly string[];
  /** Added to the image's own variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the container's own. */
  readonly workingDir?: string;
  /** Default: the container's own. */
  readonly limits?: Partial<SandboxLimits>;
  /** Both outputs as one, in the order in which they were written; it comes as stdout. Needs a shell in the image. */
  readonly merged?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** A running container in which several programs are run one after the other. */
export interface DockerSession {
  readonly id: string;
  readonly put: (items: readonly TarItem[]) => Promise<void>;
  /** A file or folder, at most `maxBytes` of content. Rejects with status 404 when it is not there. */
  readonly get: (input: { path: string; maxBytes: number }) => Promise<readonly UnpackedItem[]>;
  /**
   * Runs a program. Whatever it does is a result; `broken` says that our side failed. At its time limit, when it has
   * too many processes or when it is cancelled the whole container is killed, verified gone, and the session is over.
   */
  readonly run: (program: SessionProgram) => Promise<SandboxResult>;
  /** Makes an image of what is in the container now and gives its id. */
  readonly commit: (input: {
    repository: string;
    tag: string;
    labels: Readonly<Record<string, string>>;
  }) => Promise<string>;
  /** Kills and removes the container; false when it is still there after 30 s. */
  readonly close: () => Promise<boolean>;
}

/** Opens a container that waits for programs. Rejects with Docker's error; then there is no container. */
export async function openSession({
  image,
  workingDir,
  limits,
  cpus = 1,
  lifetimeMs,
  owner,
}: {
  image: string;
  workingDir: string;
  /** Memory and processes of the container; time and output of a program that has no other limits. */
  limits: SandboxLimits;
  cpus?: number;
  /** After it, and some time more, anyone may clear the container away. */
  lifetimeMs: number;
  owner: SandboxOwner;
}): Promise<DockerSession> {
  const docker = await connectDocker();
  const plan = { image, argv: ['tail', '-f', '/dev/null'], env: {}, workingDir, limits, cpus, lifetimeMs, owner };
  const container = await createContainer({ docker, plan });
  try {
    await answerOf(container.start());
  } catch (error) {
    await removeContainer({ container });
    throw error;
  }
  return {
    id: container.id,
    put: (items) => putItems({ container, items }),
    get: ({ path, maxBytes }) => getItems({ container, path, maxBytes }),
    run: (program) => runProgram({ docker, container, program, limits: { ...limits, ...program.limits } }),
    commit: async ({ repository, tag, labels }) => {
      const options = { repo: repository, tag, _body: { Labels: labels } };
      const { Id: id }: { Id: string } = await answerOf(container.commit(options), COPY_MS);
      return id;
    },
    close: () => removeContainer({ container }),
  };
}

async function getItems({
  container,
  path,
  maxBytes,
}: {
  container: Container;
  path: string;
  maxBytes: number;
}): Promise<readonly UnpackedItem[]> {
  const archive = await answerOf(container.getArchive({ path }));
  const { items, complete } = await answerOf(unpackItems({ archive, maxBytes }), COPY_MS);
  if (!complete) throw new Error(`${path} holds more than ${maxBytes} bytes`);
  return items;
}

/** The shell only joins the outputs: the program's arguments are its own arguments, not a part of its text. */
const MERGED = ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh'] as const;

async function runProgram({
  docker,
  container,
  program,
  limits,
}: {
  docker: Docker;
  container: Container;
  program: SessionProgram;
  limits: SandboxLimits;
}): Promise<SandboxResult> {
  const startedAt = performance.now();
  const watch = watchLimits({ container, limits, signal: program.signal });
  const ended = (exit: SandboxExit, texts = { stdout: '', stderr: '', truncated: false }): SandboxResult => ({
    exit,
    ...texts,
    durationMs: performance.now() - startedAt,
  });
  try {
    const exec = await answerOf(
      container.exec({
        Cmd: [...(program.merged === true ? MERGED : []), ...program.argv],
        Env: Object.entries(program.env ?? {}).map(([name, value]) => `${name}=${value}`),
        ...(program.workingDir === undefined ? {} : { WorkingDir: program.workingDir }),
        AttachStdout: true,
        AttachStderr: true,
      }),
    );
    const connection = await answerOf(exec.start({ hijack: true, stdin: false }));
    const outputs = collectOutputs({ connection, maxBytes: limits.maxOutputBytes });
    const stopped = await Promise.race([outputs.ended.then(() => null), watch.reached]);
    if (stopped !== null) {
      const gone = await removeContainer({ container });
      outputs.close();
      return ended(gone ? stopped : { kind: 'broken', reason: 'the container could not be removed' }, outputs.texts());
    }
    const [{ Running: running, ExitCode: code }, { State: state }] = await Promise.all([
      answerOf(exec.inspect()),
      answerOf(container.inspect()),
    ]);
    if (state.OOMKilled) return ended(outOfMemory(limits), outputs.texts());
    if (!state.Running || running || code === null) {
      return ended(
        { kind: 'broken', reason: 'the container ended under the program', infra: 'daemon' },
        outputs.texts(),
      );
    }
    return ended((await diskTrouble({ docker, code })) ?? exitOfProgram(code), outputs.texts());
  } catch (error) {
    return ended(brokenBy(error));
  } finally {
    watch.end();
  }
}
