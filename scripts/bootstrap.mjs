// Makes the checkout ready to run. Nothing is installed when this starts, and Node may be as old as 20.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.testgrad-install');
const LOCKFILE = join(ROOT, 'package-lock.json');
/** The Node of devDependencies, for machines whose own is older than what the product needs. */
const BUNDLED_NODE = join(MODULES, 'node', 'bin', 'node');

/** A problem that a person can mend; its message is all they need to see. */
export class SetupError extends Error {}

/**
 * Installs the dependencies when they are missing or package-lock.json has changed. Speaks on stderr only.
 *
 * @returns path of a Node that is new enough
 */
export async function bootstrap() {
  if (!isInstalled()) {
    await withLock({
      dir: join(ROOT, '.cache', 'install.lock'),
      work: async () => {
        if (!isInstalled()) install();
      },
    });
  }
  return usableNode();
}

function wantedStamp() {
  const digest = createHash('sha256').update(readFileSync(LOCKFILE)).digest('hex');
  return `${digest} ${process.platform} ${process.arch}\n`;
}

function isInstalled() {
  if (existsSync(STAMP)) return readFileSync(STAMP, 'utf8') === wantedStamp();
  // A plain `npm ci` or `npm install` is as good; npm keeps a copy of what it installed.
  const installed = join(MODULES, '.package-lock.json');
  const complete = existsSync(installed) && existsSync(join(MODULES, 'typescript')) && runs(BUNDLED_NODE);
  if (!complete || statSync(installed).mtimeMs < statSync(LOCKFILE).mtimeMs) return false;
  writeFileSync(STAMP, wantedStamp());
  return true;
}

function install() {
  // npm would empty the folder that the link leads to, which others may be using.
  if (lstatSync(MODULES, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new SetupError(
      `${MODULES} is a link to ${realpathSync(MODULES)}, whose packages are not those of package-lock.json. Run npm ci there, or remove the link.`,
    );
  }
  process.stderr.write('Installing dependencies (npm ci) …\n');
  // Install scripts of dependencies are not needed, except the one that puts Node's binary into place.
  npm(['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund']);
  if (!runs(BUNDLED_NODE)) {
    const step = spawnSync(process.execPath, ['installArchSpecificPackage.js'], {
      cwd: join(MODULES, 'node'),
      env: npmEnvironment(),
      stdio: ['ignore', 2, 2],
    });
    linkNode();
    if (step.status !== 0) process.stderr.write('Node 24 could not be installed; going on with the one at hand.\n');
  }
  usableNode();
  writeFileSync(STAMP, wantedStamp());
}

/** npm links the programs of packages before their scripts run, and leaves out the ones that are not there yet. */
function linkNode() {
  const link = join(MODULES, '.bin', 'node');
  if (existsSync(BUNDLED_NODE) && !existsSync(link)) symlinkSync(join('..', 'node', 'bin', 'node'), link);
}

function npm(argv) {
  const { status, error } = spawnSync('npm', argv, { cwd: ROOT, env: npmEnvironment(), stdio: ['ignore', 2, 2] });
  if (error !== undefined) {
    throw new SetupError('npm cannot be started. Install Node.js 20 or newer with npm: https://nodejs.org');
  }
  if (status !== 0) {
    throw new SetupError(
      'npm could not install the dependencies; its messages stand above. Is the npm registry reachable ' +
        'from here (`npm ping`)? Behind a proxy or with a mirror, set it in ~/.npmrc. Then run the same command again.',
    );
  }
}

/** `npm run --silent` hands its silence down, and with it the reason of a failure would be lost. */
function npmEnvironment() {
  return { ...process.env, npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };
}

function usableNode() {
  if (runs(BUNDLED_NODE)) return BUNDLED_NODE;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath;
  throw new SetupError(
    `Node ${process.versions.node} is too old (22.12 or newer is needed), and the copy in node_modules/node does not ` +
      'run on this machine. Install a newer Node: https://nodejs.org',
  );
}

function runs(node) {
  return existsSync(node) && spawnSync(node, ['--version'], { stdio: 'ignore' }).status === 0;
}
