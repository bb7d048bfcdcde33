import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll } from 'vitest';
import { applyCandidate } from '../../src/repository/apply-candidate.js';
import { openScratch, type Scratch } from '../../src/repository/scratch.js';
import { snapshotBase } from '../../src/repository/snapshot.js';
import { readTreeFile } from '../../src/repository/tree-files.js';

/** Content of a file; `link` for a symbolic link, `executable` for its mode, null to delete it. */
export type FileContent =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly executable: string | Uint8Array }
  | null;

export type FileTree = Readonly<Record<string, FileContent>>;

const made: string[] = [];

afterAll(async () => {
  for (const dir of made.splice(0)) await rm(dir, { recursive: true, force: true });
});

/** An empty directory that is removed after the tests of the file. */
export async function newDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-test-'));
  made.push(dir);
  return dir;
}

/** Runs the user's git, in an environment without their configuration. */
export async function userGit(cwd: string, ...args: string[]): Promise<string> {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'protocol.file.allow=always'];
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const { stdout } = await execa('git', [...identity, ...args], { cwd, env });
  return stdout;
}

/** A repository with one commit of these files. */
export async function newRepository(files: FileTree, ...initOptions: string[]): Promise<string> {
  const dir = await newDir();
  await userGit(dir, 'init', '--quiet', '--initial-branch=main', ...initOptions);
  await commit(dir, files);
  return dir;
}

/** Changes files and commits everything. */
export async function commit(dir: string, files: FileTree): Promise<void> {
  await writeFiles(dir, files);
  await userGit(dir, 'add', '--all', '--force');
  await userGit(dir, 'commit', '--quiet', '--allow-empty', '-m', 'change');
}

export async function writeFiles(dir: string, files: FileTree): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(dir, path);
    await rm(file, { recursive: true, force: true });
    if (content === null) continue;
    await mkdir(dirname(file), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(file, content);
    else if ('link' in content) await symlink(content.link, file);
    else {
      await writeFile(file, content.executable);
      await chmod(file, 0o755);
    }
  }
}

/** The user's changes as `git diff` shows them, byte for byte; the working tree is put back. */
export async function patchOf(dir: string, files: FileTree, ...diffOptions: string[]): Promise<Buffer> {
  await writeFiles(dir, files);
  await userGit(dir, 'add', '--all', '--force');
  const options = ['-c', 'core.quotePath=true', 'diff', '--cached', ...diffOptions];
  const { stdout } = await execa('git', options, { cwd: dir, encoding: 'buffer', stripFinalNewline: false });
  await userGit(dir, 'reset', '--quiet', '--hard');
  await userGit(dir, 'clean', '-qfdx');
  return Buffer.from(stdout);
}

/** The difference of two trees as the user's git writes it, byte for byte. */
export async function diffOf(dir: string, from: string, to: string, ...options: string[]): Promise<Buffer> {
  const args = ['-c', 'core.quotePath=true', 'diff', '--binary', ...options, from, to];
  const { stdout } = await execa('git', args, { cwd: dir, encoding: 'buffer', stripFinalNewline: false });
  return Buffer.from(stdout);
}

/** The repository's HEAD in a scratch repository of its own. */
export async function scratchOf(repoDir: string): Promise<Scratch> {
  const treeId = await userGit(repoDir, 'rev-parse', 'HEAD^{tree}');
  return openScratch({ bundle: () => snapshotBase({ repoDir, treeId }), dir: await newDir(), treeId });
}

/** Path, mode, time and content of everything below a directory, `.git` included: equal only if nothing was written. */
export async function fingerprint(dir: string, { times = true } = {}): Promise<string[]> {
  const lines: string[] = [];
  for (const name of (await readdir(dir, { recursive: true })).sort()) {
    const path = join(dir, name);
    const status = await lstat(path);
    const content = status.isSymbolicLink() ? await readlink(path) : status.isFile() ? await readFile(path) : '';
    const digest = createHash('sha256').update(content).digest('hex');
    lines.push([name, status.mode.toString(8), times ? status.mtimeMs : '', digest].join(' '));
  }
  return lines;
}

/** Applies a candidate's patch to the base of a scratch repository. */
export function apply(scratch: Scratch, patch: string | Uint8Array, directory = '') {
  const bytes = typeof patch === 'string' ? Buffer.from(patch) : patch;
  return applyCandidate({ scratch, baseTreeId: scratch.treeId, patch: bytes, directory });
}

/** Like {@link apply}, for a patch that must be usable. */
export async function applyUsable(scratch: Scratch, patch: string | Uint8Array) {
  const result = await apply(scratch, patch);
  if (result.kind === 'excluded') throw new Error(`${result.reason}: ${result.detail}`);
  return result;
}

/** Text of a file of a tree. */
export async function textIn(scratch: Scratch, treeId: string, path: string): Promise<string | undefined> {
  const bytes = await readTreeFile({ scratch, treeId, path });
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

/** A repository of these files, in the user's hands and as a scratch repository. */
export async function setUp(files: FileTree) {
  const dir = await newRepository(files);
  return { dir, scratch: await scratchOf(dir) };
}
