// src → dist: JavaScript, the files that Python runs, the bundle of the workflows, the page, and the build's id.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, SetupError } from './bootstrap.mjs';
import { buildPage } from './build-page.mjs';
import { withLock } from './lock.mjs';

const SRC = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const INPUTS = [
  ...['package-lock.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...['scripts/build.mjs', 'scripts/build-page.mjs'],
];

/** Digest of everything that the build depends on; equal digests mean equal builds. */
function wantedId() {
  const hash = createHash('sha256');
  for (const file of [...INPUTS.map((name) => join(ROOT, name)), ...filesBelow(SRC)]) {
    const bytes = readFileSync(file);
    hash.update(`${relative(ROOT, file)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** True when dist was built from the sources as they are. */
export function isFresh() {
  const file = join(DIST, 'build-id');
  return existsSync(file) && readFileSync(file, 'utf8').trim() === wantedId();
}

/** Builds unless dist is fresh. Two at once build one after the other, and the second finds nothing to do. */
async function build() {
  await withLock({
    dir: join(ROOT, '.cache', 'build.lock'),
    work: async () => {
      if (isFresh()) return;
      const id = wantedId();
      // Inside the checkout, so that the workflows' imports resolve and the finished folder can be moved; always the
      // same one, because its name gets into the bundle.
      const out = join(ROOT, '.cache', 'build');
      rmSync(out, { recursive: true, force: true });
      mkdirSync(out);
      try {
        compile(out);
        copyOthers(out);
        await bundle(out);
        await buildPage({ out: join(out, 'page') });
        chmodSync(join(out, 'cli', 'main.js'), 0o755);
        writeFileSync(join(out, 'build-id'), `${id}\n`);
        replaceDist(out);
      } finally {
        rmSync(out, { recursive: true, force: true });
      }
    },
  });
}

function compile(out) {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.build.json'), '--outDir', out], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new SetupError('The build failed: the compiler found errors, see above.');
}

/** Whatever is no TypeScript goes along as it is; the page is built into one file. */
function copyOthers(out) {
  const page = join(SRC, 'page', '/');
  for (const file of filesBelow(SRC).filter((name) => !name.endsWith('.ts') && !name.startsWith(page))) {
    const target = join(out, relative(SRC, file));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
}

async function bundle(out) {
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(out, 'workflows', 'index.js'),
    logger: new DefaultLogger('WARN'),
  });
  writeFileSync(join(out, 'workflow-bundle.js'), withRelativeSources(code));
}

/** Equal sources make equal bundles on every machine, and stack traces read the same. */
function withRelativeSources(code) {
  return code.replace(/(sourceMappingURL=data:application\/json;[^,]*base64,)([A-Za-z0-9+/=]+)/, (_, head, encoded) => {
    const map = Buffer.from(encoded, 'base64').toString('utf8');
    return head + Buffer.from(map.replaceAll(`${ROOT}/`, '')).toString('base64');
  });
}

/** A program that is reading dist finds all of the old or all of the new, but for the moment between two renames. */
function replaceDist(out) {
  const old = `${out}-old`;
  rmSync(old, { recursive: true, force: true });
  if (existsSync(DIST)) renameSync(DIST, old);
  renameSync(out, DIST);
  rmSync(old, { recursive: true, force: true });
}

function filesBelow(dir) {
  return readdirSync(dir, { withFileTypes: true })
    .filter(({ name }) => name !== '__pycache__')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(dir, entry.name)) : [join(dir, entry.name)]));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await build();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
