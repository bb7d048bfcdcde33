// Makes the small benchmark: `node examples/bench/make.mjs DIR` writes the repositories, the dataset, the predictions, the
// known results and the file for --local-repos into DIR. The same every time: commits have fixed authors and dates.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENTS, INSTANCES, REPOSITORIES } from './projects.mjs';

const FIXED = {
  GIT_AUTHOR_NAME: 'example',
  GIT_AUTHOR_EMAIL: 'example@localhost',
  GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'example',
  GIT_COMMITTER_EMAIL: 'example@localhost',
  GIT_COMMITTER_DATE: '2024-01-01T00:00:00Z',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

function git(cwd, ...args) {
  return execFileSync('git', args, { cwd, encoding: 'utf8', env: { PATH: process.env.PATH, ...FIXED } });
}

function put(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Makes a repository with one commit. */
function makeRepository({ dir, files }) {
  for (const [path, text] of Object.entries(files)) put(join(dir, path), text);
  git(dir, 'init', '--quiet', '--initial-branch=main', '--object-format=sha1');
  git(dir, 'add', '--all');
  git(dir, 'commit', '--quiet', '--message', 'base');
  return git(dir, 'rev-parse', 'HEAD').trim();
}

/** The diff of one file's new content. */
function diffOf({ dir, file, text }) {
  put(join(dir, file), text);
  const diff = git(dir, 'diff', '--no-ext-diff', '--no-color', '--', file);
  git(dir, 'checkout', '--quiet', '--', '.');
  return diff;
}

/** What is written, by path below the folder; repositories lie in `repos`. */
export function makeBenchmark({ dir }) {
  const placeOf = (repo) => join(dir, 'repos', repo.split('/')[1]);
  const commits = new Map();
  for (const [repo, files] of Object.entries(REPOSITORIES)) {
    commits.set(repo, makeRepository({ dir: placeOf(repo), files }));
  }
  const rows = INSTANCES.map((instance) => ({
    instance_id: instance.instance_id,
    repo: instance.repo,
    base_commit: commits.get(instance.repo),
    problem_statement: instance.problem_statement,
    version: '1.0',
    patch: '',
    test_patch: diffOf({
      dir: placeOf(instance.repo),
      file: instance.testFile,
      text: `${REPOSITORIES[instance.repo][instance.testFile]}\n\n${instance.test}`,
    }),
    FAIL_TO_PASS: JSON.stringify([`${instance.testFile}::${/def (\w+)/.exec(instance.test)[1]}`]),
    PASS_TO_PASS: '[]',
  }));
  const lines = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const files = { 'dataset.jsonl': lines(rows) };
  for (const agent of AGENTS) {
    const own = INSTANCES.filter(({ attempts }) => attempts[agent] !== undefined);
    files[`preds/${agent}.jsonl`] = lines(
      own.map(({ instance_id, repo, file, attempts }) => ({
        instance_id,
        model_name_or_path: agent,
        model_patch: attempts[agent] === null ? '' : diffOf({ dir: placeOf(repo), file, text: attempts[agent] }),
      })),
    );
    const resolved = own.map(({ instance_id, resolved: right }) => [instance_id, right.includes(agent)]);
    files[`results/${agent}.json`] = `${JSON.stringify(Object.fromEntries(resolved), null, 2)}\n`;
  }
  files['repos.yaml'] = Object.keys(REPOSITORIES)
    .map((repo) => `${repo}:\n  git: repos/${repo.split('/')[1]}\n  testCmd: python -m pytest -q\n`)
    .join('');
  for (const [path, text] of Object.entries(files)) put(join(dir, path), text);
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [to] = process.argv.slice(2);
  if (to === undefined) {
    process.stderr.write('Usage: node examples/bench/make.mjs DIR\n');
    process.exitCode = 2;
  } else {
    makeBenchmark({ dir: resolve(to) });
    process.stdout.write(`The benchmark is in ${resolve(to)}.\n`);
  }
}
