import { devNull } from 'node:os';
import { execa } from 'execa';
import { EnvironmentError } from '../errors.js';

/** Long enough for the largest repositories on a slow disk; a hang (dead network mount) still ends. */
const TIMEOUT_MS = 600_000;

const MAX_BYTES = 1_073_741_824;

/**
 * Settings that win over those of a repository: nothing of it is executed, nothing is fetched, nothing is tidied up,
 * and text comes out the same everywhere.
 */
const SETTINGS = [
  `core.hooksPath=${devNull}`,
  `core.attributesFile=${devNull}`,
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.protectHFS=true',
  'core.protectNTFS=true',
  'core.quotePath=false',
  'color.ui=never',
  'gc.auto=0',
  'maintenance.auto=false',
  // A partial clone would fetch what it lacks into the user's repository.
  'protocol.allow=never',
  // We run nothing that the repository configures, which is what the ownership check protects from.
  'safe.directory=*',
].flatMap((setting) => ['-c', setting]);

/** Which repository a command works on, and how. */
export interface GitCall {
  /** Argument vector after `git`. */
  readonly args: readonly string[];
  /** Directory to find the repository from; not needed with `gitDir`. */
  readonly cwd?: string | undefined;
  readonly gitDir?: string | undefined;
  readonly workTree?: string | undefined;
  /** Index to use in place of the repository's own. */
  readonly indexFile?: string | undefined;
  /** Object directory of another repository, read but never written. */
  readonly borrowFrom?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly input?: Uint8Array | string | undefined;
  /** Default 600,000. */
  readonly timeoutMs?: number | undefined;
}

export interface GitAnswer {
  /** Null when git was killed. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/**
 * Runs git in a neutral environment and gives back whatever it answered.
 *
 * Of the caller's environment no `GIT_*` variable counts, nor does system-wide or personal configuration.
 * Rejects with TG-E08 when there is no git, and with TG-E03 when git found the disk full.
 */
export async function tryGit(call: GitCall): Promise<GitAnswer> {
  const result = await execa('git', gitArguments(call), {
    cwd: call.cwd ?? call.gitDir ?? process.cwd(),
    env: gitEnvironment(call),
    extendEnv: false,
    input: call.input ?? '',
    encoding: 'buffer',
    stripFinalNewline: false,
    maxBuffer: MAX_BYTES,
    timeout: call.timeoutMs ?? TIMEOUT_MS,
    reject: false,
  });
  if (result.exitCode === undefined && result.code === 'ENOENT') throw gitMissing(result.cause);
  if (result.isMaxBuffer) throw new Error(`git ${call.args[0]} wrote more than ${MAX_BYTES} bytes`);
  const stderr = Buffer.from(result.stderr).toString();
  if (stderr.includes('No space left on device')) throw diskFull(stderr);
  return { exitCode: result.exitCode ?? null, stdout: Buffer.from(result.stdout), stderr };
}

/** Runs git for its output; an error with git's own words when it does not succeed. */
export async function git(call: GitCall): Promise<Buffer> {
  const { exitCode, stdout, stderr } = await tryGit(call);
  if (exitCode !== 0) {
    const ending = exitCode === null ? 'was stopped' : `ended with ${exitCode}`;
    throw new Error(`git ${call.args.slice(0, 2).join(' ')} ${ending}: ${stderr.trim().slice(0, 2000)}`);
  }
  return stdout;
}

/** Like {@link git}, for an answer of one line. */
export async function gitLine(call: GitCall): Promise<string> {
  return (await git(call)).toString().replace(/\n$/, '');
}

/** The environment of every git process: the caller's without `GIT_*`, then ours. */
export function gitEnvironment(call: Omit<GitCall, 'args'>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_'),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    // Otherwise reading commands such as status rewrite the user's index.
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    ...(call.gitDir === undefined ? {} : { GIT_DIR: call.gitDir }),
    ...(call.workTree === undefined ? {} : { GIT_WORK_TREE: call.workTree }),
    ...(call.indexFile === undefined ? {} : { GIT_INDEX_FILE: call.indexFile }),
    ...(call.borrowFrom === undefined ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(call.borrowFrom) }),
    ...call.env,
  };
}

/** The whole argument vector of a command, our settings first; for callers that read the output as a stream. */
export function gitArguments({ args }: Pick<GitCall, 'args'>): string[] {
  return [...SETTINGS, ...args];
}

/** The list is separated by colons; a path in double quotes may hold one. */
function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

function gitMissing(cause: unknown) {
  return new EnvironmentError({
    code: 'TG-E08',
    what: 'git was not found on the PATH.',
    meaning: 'Candidates are applied and compared with git.',
    fix: 'Install git 2.31 or newer.',
    cause,
  });
}

function diskFull(stderr: string) {
  return new EnvironmentError({
    code: 'TG-E03',
    what: 'No space left on the disk while git was writing.',
    meaning: 'Nothing is half done: the step starts again as a whole.',
    fix: 'Free some space; the run goes on by itself, or run the same command again.',
    cause: new Error(stderr.trim().slice(0, 2000)),
  });
}
