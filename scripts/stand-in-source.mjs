// The repository of a stand-in image: one commit of a release on Python's package index, or a commit of a git directory.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCKER_CACHE } from './base-image.mjs';
import { pip, run } from './run-program.mjs';

const SETTINGS = [
  'user.name=stand-in',
  'user.email=stand-in@localhost',
  'commit.gpgSign=false',
  // The user's own settings for line ends and ignored files must not decide what the commit is.
  'core.autocrlf=false',
  'core.excludesFile=/dev/null',
  // Git tidies up in the background, and would take files away while they are copied.
  'gc.auto=0',
  'maintenance.auto=false',
  'core.looseCompression=0',
];
const DATES = { GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z' };

/** Makes the repository at `source` and returns its HEAD. `dir` is for what is needed on the way. */
export async function makeSource({ source, release, repository, commit, dir }) {
  mkdirSync(source);
  if (release === undefined) await checkOut({ source, repository, commit });
  else await unpackRelease({ source, release, dir });
  return (await git(source, 'rev-parse', 'HEAD')).trim();
}

async function unpackRelease({ source, release, dir }) {
  const [name, version] = release.split('==');
  const file = join(DOCKER_CACHE, `${name.toLowerCase()}-${version}.tar.gz`);
  if (!existsSync(file)) {
    const fresh = join(dir, 'release');
    await pip('download', '--no-deps', '--no-binary=:all:', '--dest', fresh, release);
    const [archive] = readdirSync(fresh);
    mkdirSync(DOCKER_CACHE, { recursive: true });
    // A rename, also between file systems.
    copyFileSync(join(fresh, archive), `${file}.new`);
    renameSync(`${file}.new`, file);
  }
  await run('tar', ['-xzf', file, '--strip-components=1', '-C', source]);
  if (name === 'sympy') {
    mkdirSync(join(source, 'bin'), { recursive: true });
    copyFileSync(fileURLToPath(new URL('./stand-in/sympy-test.py', import.meta.url)), join(source, 'bin', 'test'));
    chmodSync(join(source, 'bin', 'test'), 0o755);
  }
  writeFileSync(join(source, '.gitignore'), '*.egg-info/\n__pycache__/\n*.pyc\n');
  await git(source, 'init', '-q', '-b', 'main');
  await git(source, 'add', '-A');
  await git(source, 'commit', '-q', '-m', release);
  // Thousands of files less to copy.
  await git(source, 'repack', '-a', '-d', '-q', '--window=0');
}

async function checkOut({ source, repository, commit }) {
  await git(source, 'init', '-q', '-b', 'main');
  await git(source, 'fetch', '-q', '--depth', '1', `file://${repository}`, commit);
  await git(source, 'reset', '-q', '--hard', 'FETCH_HEAD');
  rmSync(join(source, '.git', 'FETCH_HEAD'));
}

const git = (cwd, ...argv) =>
  run('git', [...SETTINGS.flatMap((setting) => ['-c', setting]), ...argv], { cwd, env: { ...process.env, ...DATES } });
