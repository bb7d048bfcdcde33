// The image that test images are built on: Debian with Python and git, made by debootstrap because no registry is needed
// for that. The file, which takes over a minute to make, is kept in the user's cache for all checkouts.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './run-program.mjs';

/** What test images are made of is kept here: this file, releases, wheels. */
export const DOCKER_CACHE = process.env.TESTGRAD_DOCKER_CACHE || join(homedir(), '.cache', 'testgrad-docker');
export const BASE_IMAGE = 'testgrad/test-base:bookworm';
const PACKAGES = ['python3', 'python3-venv', 'git', 'patch', 'ca-certificates'];
const FILE = join(DOCKER_CACHE, 'bookworm-1.tar');

/** What this machine lacks to make the image; empty when it is there, or nothing is lacking. */
export function lacksForBaseImage() {
  if (isThere() || existsSync(FILE)) return '';
  const hasDebootstrap = spawnSync('debootstrap', ['--version'], { stdio: 'ignore' }).status === 0;
  if (hasDebootstrap && process.getuid?.() === 0) return '';
  return 'the image that test images are built on is made by debootstrap, as root, and there is none';
}

/** Makes sure that the daemon at DOCKER_HOST has the image. Throws with the reason when it cannot be made. */
export async function ensureBaseImage() {
  if (isThere()) return BASE_IMAGE;
  if (!existsSync(FILE)) await makeFile();
  const status = await new Promise((resolve) => {
    const child = spawn('docker', ['import', FILE, BASE_IMAGE], { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  if (status !== 0) throw new Error('docker import failed');
  return BASE_IMAGE;
}

const isThere = () => spawnSync('docker', ['image', 'inspect', BASE_IMAGE], { stdio: 'ignore' }).status === 0;

async function makeFile() {
  process.stderr.write('Making a base image with debootstrap (a minute or two) …\n');
  const dir = mkdtempSync(join(tmpdir(), 'testgrad-base-'));
  const fresh = `${FILE}.${process.pid}`;
  try {
    const root = join(dir, 'root');
    await run('debootstrap', ['--variant=minbase', `--include=${PACKAGES.join(',')}`, 'bookworm', root]);
    for (const path of ['var/cache/apt/archives', 'var/lib/apt/lists', 'usr/share/doc', 'usr/share/man']) {
      rmSync(join(root, path), { recursive: true, force: true });
    }
    mkdirSync(DOCKER_CACHE, { recursive: true });
    await run('tar', ['-C', root, '-cf', fresh, '.']);
    renameSync(fresh, FILE);
  } finally {
    rmSync(fresh, { force: true });
    rmSync(dir, { recursive: true, force: true });
  }
}
