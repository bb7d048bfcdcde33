import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { git } from '../repository/git.js';
import { describePython } from '../runners/python-environment.js';
import { ownerOfThisProcess } from '../sandbox/owner.js';
import { removeTree } from '../sandbox/remove-tree.js';
import { rootInside, runInSandbox, type SandboxKind, type SandboxResult } from '../sandbox/sandbox.js';
import type { EvaluationPlace, OpenPlace, ScriptResult } from '../swebench/evaluate/place.js';

/** Where the tree appears in an isolated sandbox, as in the official images. */
const MOUNT_AT = '/testbed';
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** How instances of one project are evaluated on this machine, without a container. */
export interface LocalEvaluation {
  readonly kind: Exclude<SandboxKind, 'docker'>;
  /** Absolute; holds trees while they are needed, and base trees until it is removed. */
  readonly workDir: string;
  /** Absolute path of a git directory that has the instances' base commits. */
  readonly gitDir: string;
  /** Absolute path of the interpreter that has the project's requirements. */
  readonly python: string;
  /** Folders of the tree that are import roots, relative to it; the project itself is not installed. */
  readonly pythonPath: readonly string[];
  /** Names the run in sandboxes' labels. */
  readonly runId: string;
  /** Address space of each process; default 4 GiB. */
  readonly memoryBytes?: number;
  /** Processes and threads of a script; default 256. */
  readonly maxProcesses?: number;
}

/**
 * Places on this machine: a fresh checkout of the base commit (one commit, nothing later is in it) in a sandbox without
 * a network, with the given interpreter first on the path.
 *
 * A place's own `open` rejects when the repository lacks the commit; `describePython` errors come at once.
 */
export async function localPlaces(settings: LocalEvaluation): Promise<OpenPlace> {
  const { readOnlyPaths } = await describePython({ python: settings.python, cwd: MOUNT_AT });
  const bases = new Map<string, Promise<string>>();
  let count = 0;
  return async ({ instance }) => {
    const { baseCommit } = instance;
    const base = bases.get(baseCommit) ?? checkOutBase({ settings, commit: baseCommit });
    bases.set(baseCommit, base);
    count += 1;
    const dir = join(settings.workDir, 'places', `${process.pid}-${count}`);
    const [treeDir, scratchDir] = [join(dir, 'tree'), join(dir, 'scratch')];
    await mkdir(scratchDir, { recursive: true });
    // With its times, so that git need not read every file again.
    await execa('cp', ['-a', '--', await base, treeDir], { stdin: 'ignore' });
    return localPlace({ settings, dir, treeDir, scratchDir, readOnlyPaths });
  };
}

/** A repository with one commit, the base, checked out; kept for the next candidate. */
async function checkOutBase({ settings, commit }: { settings: LocalEvaluation; commit: string }): Promise<string> {
  const dir = join(settings.workDir, 'bases', commit);
  const fresh = `${dir}.${process.pid}`;
  await rm(fresh, { recursive: true, force: true });
  await rm(dir, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const run = (...args: readonly string[]) => git({ args, cwd: fresh });
  await run('init', '--quiet', '--initial-branch=main');
  await run(...['-c', 'protocol.file.allow=always'], 'fetch', '--quiet', '--depth=1', settings.gitDir, commit);
  await run('checkout', '--quiet', '--detach', 'FETCH_HEAD');
  await rename(fresh, dir);
  return dir;
}

function localPlace({
  settings,
  dir,
  treeDir,
  scratchDir,
  readOnlyPaths,
}: {
  settings: LocalEvaluation;
  dir: string;
  treeDir: string;
  scratchDir: string;
  readOnlyPaths: readonly string[];
}): EvaluationPlace {
  const { kind, python, pythonPath, runId, memoryBytes = 4 * 1024 ** 3, maxProcesses = 256 } = settings;
  const root = rootInside({ kind, treeDir, mountAt: MOUNT_AT });
  const owner = ownerOfThisProcess({ runId, activityId: 'evaluate' });
  const env = {
    PATH: [dirname(python), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    PYTHONPATH: pythonPath.map((path) => join(root, path)).join(':'),
    PYTHONDONTWRITEBYTECODE: '1',
    HOME: join(scratchDir, 'home'),
    TMPDIR: join(scratchDir, 'tmp'),
    LANG: 'C.UTF-8',
  };
  return {
    layout: {
      root,
      patchFile: join(scratchDir, 'patch.diff'),
      scriptFile: join(scratchDir, 'eval.sh'),
      activate: [],
      isImage: false,
      hasRecordedNames: false,
      baseRef: null,
    },
    put: async (files) => {
      for (const { path, bytes } of files) {
        // What a script put there, a link out of the place for one, must not be written through.
        await rm(path, { recursive: true, force: true });
        await writeFile(path, bytes, { flag: 'wx' });
      }
    },
    bash: async ({ path, timeoutMs, signal }) =>
      scriptResult(
        await runInSandbox({
          kind,
          treeDir,
          mountAt: MOUNT_AT,
          // One pipe for both outputs keeps their order; the markers come by way of the shell's trace.
          argv: ['/bin/bash', '-c', 'exec /bin/bash "$0" 2>&1', path],
          env,
          readOnlyPaths,
          scratchDir,
          limits: { timeoutMs, memoryBytes, maxProcesses, maxOutputBytes: MAX_OUTPUT_BYTES },
          owner,
          ...(signal === undefined ? {} : { signal }),
        }),
      ),
    close: () => removeTree({ dir }),
  };
}

/** What a sandbox's result is to an evaluation. */
export function scriptResult({ exit, stdout, durationMs }: SandboxResult): ScriptResult {
  const rest = { log: stdout, durationMs };
  if (exit.kind === 'signalled') return { ...rest, exit: { kind: 'killed', reason: `ended by ${exit.signal}` } };
  if (exit.kind === 'overlimit') return { ...rest, exit: { kind: 'killed', reason: `too many ${exit.limit}` } };
  return { ...rest, exit };
}
