import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { freePort } from '../../src/workers/free-port.js';
import { until } from '../support/until.js';

/** A PostgreSQL server on the loopback interface, with the user `postgres` and no password. */
export interface Postgres {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Makes a cluster below `dir` and starts it. It refuses to run as root, so root gives it to the user `postgres`. */
export async function startPostgres({ dir }: { dir: string }): Promise<Postgres> {
  const bin = await binaries();
  const user = process.getuid?.() === 0 ? await userIds('postgres') : {};
  const base = join(dir, 'postgres');
  await mkdir(base, { recursive: true });
  await chmod(dir, 0o711);
  if (user.uid !== undefined && user.gid !== undefined) await chown(base, user.uid, user.gid);
  const data = join(base, 'data');
  await execa(join(bin, 'initdb'), ['--auth=trust', '--username=postgres', '--no-sync', '-D', data], {
    ...user,
    cwd: base,
  });
  const port = await freePort(null);
  const options = ['-D', data, '-p', String(port), '-k', base, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
  const child = spawn(join(bin, 'postgres'), options, { ...user, cwd: base, stdio: 'ignore' });
  const exited = once(child, 'exit');
  await until({
    what: 'PostgreSQL answers',
    done: async () =>
      (await execa(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { reject: false })).exitCode === 0,
  });
  return {
    port,
    stop: async () => {
      child.kill('SIGQUIT');
      await exited;
    },
  };
}

/** Debian keeps the server's programs out of PATH. */
async function binaries(): Promise<string> {
  const versions = await readdir('/usr/lib/postgresql').catch((): string[] => []);
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  if (newest !== undefined) return `/usr/lib/postgresql/${newest}/bin`;
  return (await execa('pg_config', ['--bindir'])).stdout.trim();
}

async function userIds(name: string): Promise<{ uid?: number; gid?: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => (await execa('id', [flag, name])).stdout));
  return { uid: Number(uid), gid: Number(gid) };
}
