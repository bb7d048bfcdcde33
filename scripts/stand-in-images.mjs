// Images with the layout of SWE-bench's official ones, for machines that cannot pull those. Needs a Docker daemon, its
// command line, git, and pip for Python's package index.
//
//   node scripts/stand-in-images.mjs [flask django sympy]
//   node scripts/stand-in-images.mjs --instance ID --repository DIR --commit SHA --require 'mpmath==1.3.0' [--require …]
//     [--python PREFIX]   an installation of another interpreter on this machine, for images on Debian 12
//
// Prints one line of JSON for each image: instance_id, image, base_commit.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DOCKER_CACHE, ensureBaseImage } from './base-image.mjs';
import { withLock } from './lock.mjs';
import { pip, run } from './run-program.mjs';
import { makeSource } from './stand-in-source.mjs';

/** Releases that hold their tests; each is run by another runner. */
export const RELEASES = {
  flask: {
    instance: 'pallets__flask-2330',
    release: 'Flask==2.3.3',
    module: 'flask, pytest',
    require: [
      'werkzeug==2.3.7',
      'jinja2==3.1.4',
      'itsdangerous==2.2.0',
      'click==8.1.7',
      'markupsafe==2.1.5',
      'blinker==1.8.2',
      'pytest==7.4.4',
    ],
  },
  django: {
    instance: 'django__django-4216',
    release: 'Django==4.2.16',
    module: 'django.test',
    require: ['asgiref==3.8.1', 'sqlparse==0.5.1', 'pytz==2024.1', 'jinja2==3.1.4', 'markupsafe==2.1.5'],
  },
  sympy: {
    instance: 'sympy__sympy-1111',
    release: 'sympy==1.11.1',
    module: 'sympy, sympy.testing.runtests',
    require: ['mpmath==1.3.0'],
  },
};

/** Namespace of the images; nothing in a registry has it. */
export const NAMESPACE = 'testgrad-stand-in';
/** What an editable install without downloads needs; the first is for interpreters of Python 3.6. */
const OLD_BUILD_TOOLS = ['pip==21.3.1', 'setuptools==59.6.0', 'wheel==0.37.1'];
const BUILD_TOOLS = ['setuptools==68.2.2', 'wheel==0.41.2', 'flit-core==3.9.0'];
const RECIPE = ['Dockerfile', 'activate', 'sympy-test.py'];

/**
 * Builds an image, unless it is there, and tells what a dataset's row says about it. Whoever wants an image that somebody
 * else is building waits for it.
 *
 * The repository comes from a release on the package index (`release`), as one commit, or from `commit` of a git
 * repository on this machine, without its history. `module` is imported once, so that it is compiled; `python` is the
 * prefix of another interpreter than Debian's.
 */
export async function buildStandIn(wanted) {
  const { instance } = wanted;
  const base = await ensureBaseImage();
  const recipe = RECIPE.map((name) => readFileSync(recipeFile(name), 'utf8'));
  const key = createHash('sha256')
    .update(JSON.stringify([wanted, OLD_BUILD_TOOLS, BUILD_TOOLS, recipe]))
    .digest('hex')
    .slice(0, 32);
  const image = `${NAMESPACE}/sweb.eval.x86_64.${instance.toLowerCase().replaceAll('__', '_1776_')}:latest`;
  const commit =
    (await builtFrom({ image, key })) ??
    (await withLock({
      dir: join(tmpdir(), `stand-in-${instance}.lock`),
      work: async () => (await builtFrom({ image, key })) ?? (await build({ ...wanted, image, key, base })),
    }));
  return { instance_id: instance, image, base_commit: commit };
}

const recipeFile = (name) => fileURLToPath(new URL(`./stand-in/${name}`, import.meta.url));

/** Base commit of an image that was made of the same things, or null. */
async function builtFrom({ image, key }) {
  try {
    const format = '{{index .Config.Labels "stand-in"}} {{index .Config.Labels "base-commit"}}';
    const [found, commit] = (await run('docker', ['image', 'inspect', '--format', format, image])).trim().split(' ');
    return found === key ? commit : null;
  } catch {
    // Not there.
    return null;
  }
}

async function build({ image, key, base, require, python, module = 'sys', ...origin }) {
  const dir = mkdtempSync(join(tmpdir(), 'testgrad-stand-in-'));
  try {
    const files = join(dir, 'files');
    for (const path of ['tmp', 'opt/miniconda3/bin']) mkdirSync(join(files, path), { recursive: true });
    chmodSync(join(files, 'tmp'), 0o1777);
    const head = await makeSource({ ...origin, source: join(files, 'testbed'), dir });
    // Python's own folders are named by its version.
    const version = python === undefined ? '3.11' : await versionOf(python);
    const requirements = [...(version === '3.6' ? OLD_BUILD_TOOLS : BUILD_TOOLS), ...require];
    writeFileSync(join(files, 'tmp/requirements.txt'), `${requirements.join('\n')}\n`);
    cpSync(await wheels({ requirements, version }), join(files, 'tmp/wheels'), { recursive: true });
    copyFileSync(recipeFile('activate'), join(files, 'opt/miniconda3/bin/activate'));
    copyFileSync(recipeFile('Dockerfile'), join(dir, 'Dockerfile'));
    if (python !== undefined) await copyInterpreter({ python, version, into: files });
    const given = [
      `BASE=${base}`,
      `IMPORT=${module}`,
      ...(python === undefined ? [] : [`PYTHON=${python}/bin/python3`]),
    ];
    const labels = [`stand-in=${key}`, `base-commit=${head}`];
    await run('docker', [
      ...['build', '--network', 'none', '-t', image],
      ...given.flatMap((value) => ['--build-arg', value]),
      ...labels.flatMap((value) => ['--label', value]),
      dir,
    ]);
    return head;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A folder of the cache with the wheels of what is required. */
async function wheels({ requirements, version }) {
  const digest = createHash('sha256')
    .update(JSON.stringify([requirements, version]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(DOCKER_CACHE, `wheels-${digest}`);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  await pip('download', '--only-binary=:all:', '--python-version', version, '--dest', fresh, ...requirements);
  renameSync(fresh, folder);
  return folder;
}

async function versionOf(python) {
  const code = 'import sys; print("%d.%d" % sys.version_info[:2])';
  return (await run(join(python, 'bin', 'python3'), ['-c', code])).trim();
}

/** The installation without its own tests and what it was built with. */
async function copyInterpreter({ python, version, into }) {
  const place = join(into, python);
  const unwanted = new Set(['__pycache__', 'test', 'idlelib', 'tkinter', 'site-packages']);
  const isUnwanted = (name) => unwanted.has(name) || name.startsWith(`config-${version}`) || name.endsWith('.a');
  cpSync(python, place, { recursive: true, verbatimSymlinks: true, filter: (path) => !isUnwanted(basename(path)) });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      instance: { type: 'string' },
      repository: { type: 'string' },
      commit: { type: 'string' },
      require: { type: 'string', multiple: true, default: [] },
      python: { type: 'string' },
    },
  });
  const names = positionals.length > 0 ? positionals : Object.keys(RELEASES);
  const wanted = values.instance === undefined ? names.map((name) => RELEASES[name] ?? unknown(name)) : [values];
  for (const one of wanted) process.stdout.write(`${JSON.stringify(await buildStandIn(one))}\n`);
}

function unknown(name) {
  throw new Error(`${name} is none of ${Object.keys(RELEASES).join(', ')}`);
}
