// Tests with real containers: `npm run test:docker [-- file …]`. Takes the daemon at DOCKER_HOST or at the usual socket;
// where none answers and this is root on Debian, one of its own, which is gone afterwards. Says so when it is skipped.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBaseImage, lacksForBaseImage } from './base-image.mjs';
import { bootstrap, ROOT, SetupError } from './bootstrap.mjs';
import { dockerHost } from './docker-host.mjs';
import { endLeftovers, endNow } from './leftovers.mjs';

// Names are short: paths of sockets have an end after a hundred letters.
const dir = mkdtempSync(join(tmpdir(), 'tg-docker-'));
const docker = dockerHost({ dir: join(dir, 'd') });
/** Everything that tests leave lies in this folder, and whatever runs with it in its environment was started here. */
const scratch = join(dir, 't');
let child = null;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, async () => {
    child?.removeAllListeners();
    child?.kill('SIGKILL');
    await endNow({ scratch });
    await clear();
    process.exit(128 + constants.signals[signal]);
  });
}

try {
  chmodSync(dir, 0o711);
  mkdirSync(scratch, { mode: 0o711 });
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await clear();
}

async function main() {
  const node = await bootstrap();
  const { host, reason } = await docker.open();
  if (reason !== '') return skip(reason);
  process.env.DOCKER_HOST = host;
  const lacking = lacksForBaseImage();
  if (lacking !== '') return skip(lacking);
  process.env.TESTGRAD_TEST_IMAGE = await ensureBaseImage();
  const argv = ['run', '--config', join(ROOT, 'vitest.docker.config.ts'), ...process.argv.slice(2)];
  const code = await run({ node, argv: [join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ...argv] });
  const leftovers = await endLeftovers({ scratch });
  for (const { pid, command } of leftovers) {
    process.stdout.write(`problem: tests left a process running: ${pid} ${command}\n`);
  }
  return leftovers.length > 0 ? 1 : code;
}

function skip(reason) {
  process.stdout.write(`SKIPPED: tests with Docker (${reason})\n`);
  return 0;
}

function run({ node, argv }) {
  return new Promise((resolve) => {
    const PATH = `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`;
    child = spawn(node, argv, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, PATH, TMPDIR: scratch } });
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });
}

async function clear() {
  await docker.close();
  rmSync(dir, { recursive: true, force: true });
}
