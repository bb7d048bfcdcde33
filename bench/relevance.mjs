// `node bench/relevance.mjs --rows FILE --predictions DIR --git owner/name=DIR [--git …] [--limit 12] [--every N] [--misses]`:
// how often the test files that SWE-bench's test patches change are among those that a selection starts with. The rows'
// test patches are read for this measurement only; what is ranked sees the candidates, the issue and the base.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { applyPatch, parsePatch } from 'diff';
import '../test/support/ts-source.mjs';

const { isTestModule, isTestPath } = await import('../src/core/test-paths.ts');
const { normalisePatch } = await import('../src/repository/normalise-patch.ts');
const { rankTestFiles } = await import('../src/source/relevance.ts');
const { touchedSymbols } = await import('../src/source/touched.ts');

const { values } = parseArgs({
  options: {
    rows: { type: 'string' },
    predictions: { type: 'string' },
    git: { type: 'string', multiple: true, default: [] },
    limit: { type: 'string', default: '12' },
    every: { type: 'string', default: '1' },
    'no-issue': { type: 'boolean', default: false },
    misses: { type: 'boolean', default: false },
  },
});
if (values.rows === undefined || values.predictions === undefined || values.git.length === 0) {
  process.stderr.write('Usage: node bench/relevance.mjs --rows FILE --predictions DIR --git owner/name=DIR …\n');
  process.exit(2);
}
const RUNNERS = { 'django/django': 'django', 'sympy/sympy': 'sympy' };
const CANDIDATES = 4;
const limit = Number(values.limit);
const gits = new Map(values.git.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));

const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const patches = new Map();
for (const file of readdirSync(values.predictions)
  .filter((name) => name.endsWith('.jsonl'))
  .sort()) {
  for (const { instance_id: id, model_patch: patch } of linesOf(join(values.predictions, file))) {
    const normal = normalisePatch({ bytes: Buffer.from(patch ?? '') });
    if (normal.kind === 'patch') {
      patches.set(id, [...(patches.get(id) ?? []), Buffer.from(normal.bytes).toString('utf8')]);
    }
  }
}

const git = (dir, ...argv) => execFileSync('git', ['-C', dir, ...argv], { maxBuffer: 1 << 30 });

/** Texts of files of a commit, by path. */
async function textsOf({ dir, commit, paths }) {
  const child = spawn('git', ['-C', dir, 'cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(paths.map((path) => `${commit}:${path}\n`).join(''));
  const chunks = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  const texts = new Map();
  let at = 0;
  for (const path of paths) {
    const end = all.indexOf(10, at);
    const head = all.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (head.at(-1) === 'missing') continue;
    const size = Number(head[2]);
    texts.set(path, all.toString('utf8', at, at + size));
    at += size + 1;
  }
  return texts;
}

async function touchedBy({ dir, commit, patchText }) {
  const touched = [];
  for (const section of parsePatch(patchText)) {
    const path = (section.newFileName === '/dev/null' ? section.oldFileName : section.newFileName)?.replace(
      /^[ab]\//,
      '',
    );
    if (path === undefined || !path.endsWith('.py') || isTestPath(path)) continue;
    const oldText = (await textsOf({ dir, commit, paths: [path] })).get(path) ?? '';
    const newText = applyPatch(oldText, section) || '';
    touched.push(await touchedSymbols({ patchText, oldText, newText, path }));
  }
  return touched;
}

async function rankOf({ row, dir }) {
  const commit = row.base_commit;
  const runner = RUNNERS[row.repo] ?? 'pytest';
  const tree = git(dir, 'ls-tree', '-r', '--name-only', commit).toString('utf8').split('\n');
  const paths = tree.filter((path) => isTestModule({ path, runner })).slice(0, 4_000);
  const texts = await textsOf({ dir, commit, paths });
  const touched = [];
  for (const patchText of (patches.get(row.instance_id) ?? []).slice(0, CANDIDATES)) {
    try {
      touched.push(...(await touchedBy({ dir, commit, patchText })));
    } catch (error) {
      process.stderr.write(`${row.instance_id}: ${error.message}\n`);
    }
  }
  const testFiles = [...texts].map(([path, text]) => ({ path, text }));
  const ranked = rankTestFiles({
    testFiles,
    touched,
    limit: 1_000,
    ...(values['no-issue'] ? {} : { issue: row.problem_statement }),
  });
  const wanted = parsePatch(row.test_patch)
    .map(({ newFileName }) => newFileName?.replace(/^b\//, '') ?? '')
    .filter((path) => isTestModule({ path, runner }) && texts.has(path));
  return { ranked, ranks: wanted.map((path) => ({ path, at: ranked.findIndex((file) => file.path === path) })) };
}

const tally = new Map();
const rows = linesOf(values.rows).filter(({ repo, instance_id: id }) => gits.has(repo) && patches.has(id));
for (const row of rows.filter((_, index) => index % Number(values.every) === 0)) {
  const { ranked, ranks } = await rankOf({ row, dir: gits.get(row.repo) });
  if (ranks.length === 0) continue;
  const found = ranks.filter(({ at }) => at !== -1 && at < limit).length;
  const one = tally.get(row.repo) ?? { instances: 0, all: 0, some: 0, first: 0 };
  tally.set(row.repo, {
    instances: one.instances + 1,
    all: one.all + (found === ranks.length ? 1 : 0),
    some: one.some + (found > 0 ? 1 : 0),
    first: one.first + (ranks.some(({ at }) => at === 0) ? 1 : 0),
  });
  if (values.misses && found < ranks.length) {
    const told = ranks.map(({ path, at }) => `${path} ${at === -1 ? 'not ranked' : `#${at + 1}`}`).join(', ');
    process.stdout.write(`${row.instance_id}: ${told}; first ${ranked[0]?.path} (${ranked[0]?.reason})\n`);
  }
}
const total = { instances: 0, all: 0, some: 0, first: 0 };
for (const one of tally.values()) for (const key of Object.keys(total)) total[key] += one[key];
process.stdout.write(
  '| repository | instances | all of the files in it | one of them | first in rank |\n|---|---|---|---|---|\n',
);
for (const [repo, one] of [...tally, ['together', total]]) {
  process.stdout.write(`| ${repo} | ${one.instances} | ${one.all} | ${one.some} | ${one.first} |\n`);
}
