// A Docker daemon of one's own: its data in a folder, no network interface, no firewall rules, ended by its number.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

const START_MS = 60_000;
const END_MS = 60_000;
const INSTALL_MS = 300_000;

/** Why a daemon cannot be started on this machine; empty when it can, after installing what is missing. */
export function prepareDockerd() {
  if (process.platform !== 'linux') return 'only Linux runs a Docker daemon of its own';
  if (process.getuid?.() !== 0) return 'no Docker daemon answers, and only root can start one';
  const missing = ['dockerd', 'docker', 'iptables', 'debootstrap'].filter((name) => !isInstalled(name));
  if (missing.length === 0) return '';
  if (!isInstalled('apt-get')) return `${missing.join(', ')} not installed, and there is no apt-get`;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { env, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8', timeout: INSTALL_MS };
  spawnSync('apt-get', ['update', '-qq'], options);
  // From Debian 13 on the command line is a package of its own.
  const hasClient = spawnSync('apt-cache', ['show', 'docker-cli'], options).status === 0;
  const packages = ['docker.io', ...(hasClient ? ['docker-cli'] : []), 'iptables', 'debootstrap'];
  const { status, stderr } = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
    options,
  );
  if (status === 0) return '';
  const said =
    String(stderr ?? '')
      .trim()
      .split('\n')
      .at(-1) ?? '';
  return `${missing.join(', ')} not installed, and apt-get could not install ${packages.join(', ')}: ${said}`;
}

/**
 * Starts a daemon whose data, socket and log are in `dir`, and waits until it answers.
 *
 * @returns `host` for DOCKER_HOST; `pid`; `stop`, which ends it and removes nothing
 */
export async function startDockerd({ dir }) {
  mkdirSync(dir, { recursive: true });
  const socket = join(dir, 'docker.sock');
  const argv = ['--data-root', join(dir, 'data'), '--exec-root', join(dir, 'exec'), '--pidfile', join(dir, 'pid')];
  argv.push('--host', `unix://${socket}`, '--bridge', 'none', '--iptables=false', '--ip-masq=false');
  const log = openSync(join(dir, 'log'), 'a');
  // A group of its own: Ctrl+C in the terminal is for the tests, which then stop it.
  const child = spawn('dockerd', argv, { stdio: ['ignore', log, log], detached: true });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  });
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  for (const until = Date.now() + START_MS; !(await answers({ socket })); ) {
    if (isOver || Date.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`dockerd did not start:\n${readFileSync(join(dir, 'log'), 'utf8').slice(-2_000)}`);
    }
    await delay(200);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await Promise.race([ended, delay(END_MS)]);
    if (!isOver) child.kill('SIGKILL');
    await ended;
  };
  return { host: `unix://${socket}`, pid: child.pid, stop };
}

/** Removes what a stopped daemon left in its folder, mounts included. */
export function removeDockerd({ dir }) {
  const mounts = process.platform === 'linux' ? readFileSync('/proc/self/mounts', 'utf8').split('\n') : [];
  const inside = mounts.map((line) => line.split(' ')[1] ?? '').filter((path) => path.startsWith(`${dir}/`));
  for (const path of inside.toReversed()) spawnSync('umount', ['-l', path]);
  rmSync(dir, { recursive: true, force: true });
}

/** True when a daemon answers at a socket of this machine. */
export function answers({ socket }) {
  return new Promise((resolve) => {
    const ping = request({ socketPath: socket, path: '/_ping', timeout: 5_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.once('timeout', () => ping.destroy());
    ping.once('error', () => resolve(false));
    ping.end();
  });
}

const isInstalled = (name) => spawnSync('sh', ['-c', 'command -v "$0"', name], { stdio: 'ignore' }).status === 0;

const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
