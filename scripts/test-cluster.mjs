// The topology of docker-compose.yml from parts: Temporal's server built from source, PostgreSQL, moto's S3 server and
// worker processes with state folders of their own. Needs Go and PostgreSQL's programs (Debian: golang, postgresql).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';

const VERSION = 'v1.31.0';
const PROGRAMS = {
  server: `go.temporal.io/server/cmd/server@${VERSION}`,
  sql: `go.temporal.io/server/cmd/tools/sql@${VERSION}`,
};

const cache =
  process.env.TESTGRAD_CLUSTER_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'testgrad-cluster');
const bin = join(cache, 'bin', VERSION);
mkdirSync(bin, { recursive: true });
for (const [name, source] of Object.entries(PROGRAMS)) {
  if (existsSync(join(bin, name))) continue;
  process.stdout.write(`Building ${source} into ${bin}: about ten minutes on two cores …\n`);
  const { status, error } = spawnSync('go', ['install', source], {
    stdio: 'inherit',
    env: { ...process.env, GOBIN: bin, CGO_ENABLED: '0' },
  });
  if (status === 0) continue;
  process.stderr.write(`${source} could not be built${error === undefined ? '' : `: ${error.message}`}.\n`);
  process.exit(1);
}
const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/cluster', ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, TESTGRAD_CLUSTER_BIN: bin },
});
process.exitCode = status ?? 1;
