#!/usr/bin/env node
// Runs `testgrad select` of the built checkout on the demo instance: npm run demo -- [--json] [--live] [flags of select]
//
// The package comes from PyPI by version and hash and is not changed; everything runs for real. Without --live the
// model's turns are replayed from session.json, which was recorded against this very instance.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const instance = JSON.parse(readFileSync(join(here, 'instance.json'), 'utf8'));
const cli = join(here, '..', '..', 'dist', 'cli', 'main.js');
const given = process.argv.slice(2);
const live = given.includes('--live');
const flags = given.filter((flag) => flag !== '--live');
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'testgrad', 'demo', instance.name);

const say = (line) => process.stderr.write(`${line}\n`);

function fail(lines) {
  say(lines.join('\n'));
  process.exit(5);
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (result.status === 0) return result.stdout;
  const output = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim().split('\n').slice(-6);
  return fail([`The demo stopped at: ${command} ${args.join(' ')}`, ...output, result.error?.message ?? '']);
}

function findPython() {
  for (const name of [process.env.TESTGRAD_DEMO_PYTHON, 'python3', 'python'].filter(Boolean)) {
    const check = 'import sys, venv; assert sys.version_info >= (3, 9); print(sys.executable)';
    const result = spawnSync(name, ['-c', check], { encoding: 'utf8' });
    if (result.status === 0) return result.stdout.trim();
  }
  return fail([
    'The demo needs Python 3.9 or newer with its venv module.',
    'Install it (Debian: apt-get install python3-venv) and run the demo again.',
  ]);
}

/** Calls `make` with an empty folder, again when an earlier call did not get to its end. */
function once(folder, title, make) {
  const stamp = `${folder}.ready`;
  if (existsSync(stamp)) return;
  say(`demo: ${title}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  make();
  writeFileSync(stamp, '');
}

const python = findPython();
const version = run(python, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']).trim();
const environment = join(cache, `python-${version}`);
const repository = join(cache, instance.package);
mkdirSync(cache, { recursive: true });

once(environment, `installing ${instance.requirements[0]} for Python ${version}`, () => {
  run(python, ['-m', 'venv', environment]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--require-hashes'];
  run(join(environment, 'bin', 'python'), [...pip, '-r', join(here, instance.requirementsFile)]);
});

once(repository, `fetching ${instance.package} ${instance.version} (source release)`, () => {
  const download = join(repository, '.download');
  const pinned = `${instance.package}==${instance.version}`;
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--no-binary', ':all:'];
  run(join(environment, 'bin', 'python'), [...pip, '--dest', download, pinned]);
  const archive = join(download, readdirSync(download).find((name) => name.endsWith('.tar.gz')) ?? 'missing');
  const digest = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (digest !== instance.sdist.sha256) {
    fail([`${archive} has SHA-256 ${digest}, expected ${instance.sdist.sha256}.`, 'It was not used.']);
  }
  run('tar', ['-xzf', archive, '-C', repository, '--strip-components=1']);
  rmSync(download, { recursive: true, force: true });
  const git = (...args) =>
    run('git', ['-c', 'user.name=demo', '-c', 'user.email=demo@example.org', '-c', 'core.autocrlf=false', ...args], {
      cwd: repository,
      env: { ...process.env, GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z', GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z' },
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all', '--force');
  git('commit', '--quiet', '--message', `${instance.package} ${instance.version}`);
});

const patches = instance.candidates.flatMap(({ name, patch }) => ['--patch', `${name}=${join(here, patch)}`]);
const args = [
  cli,
  'select',
  ...['--repo', repository, '--issue', join(here, instance.issue), ...patches],
  ...['--python', join(environment, 'bin', 'python'), '--python-path', instance.pythonPath],
  ...['--test-cmd', instance.testCommand],
  ...(live ? [] : ['--model', 'recorded']),
  ...flags,
];
const env = live ? process.env : { ...process.env, TESTGRAD_REPLAY: join(here, 'session.json') };
if (!live)
  say('demo: the model is replayed from a recorded session; everything else runs for real (--live: a real model)');
const child = spawn(process.execPath, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 130)));
