import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mine } from '../../dist/activities/mining.js';
import { codeNames } from '../../dist/core/momentum/code-names.js';
import { indexTests } from '../../dist/source/test-index.js';

const DEMO = fileURLToPath(new URL('../../examples/demo/', import.meta.url));
const ITERATIONS = 8;

/** Test files of source releases; each update takes the next tests of the file, as many as an optimizer writes. */
const FILES = [
  { package: 'click', version: '8.3.1', file: 'tests/test_options.py', focus: ['Option', 'option', 'invoke'] },
  { package: 'attrs', version: '25.4.0', file: 'tests/test_validators.py', focus: ['in_', 'instance_of', 'optional'] },
  { package: 'jinja2', version: '3.1.6', file: 'tests/test_filters.py', focus: ['from_string', 'render'] },
];
const DIGESTS = {
  click: '12ff4785d337a1bb490bb7e9c2b1ee5da3112e94a8622f26a6c77f5d2fc6842a',
  attrs: '16d5969b87f0859ef33a48b35d55ac1be6e42ae49d5e853b597db70c35c57e11',
  jinja2: '0137fb05990d35f1275a587e9aee6d56da821fc83491a0fb838183be43f66d6d',
};
const TESTS_AN_UPDATE = 8;
const STEER = ['fixture runner', 'helper make_thing', 'assertion assert_same'];

/** Prints tokens of the raw memory against those of the momentum; returns false where momentum is above 150. */
export async function printCompression({ cache, say }) {
  say('Tokens (o200k_base) of the raw memory, of the momentum mined from it, and their ratio, by failed updates.');
  let isSmall = true;
  const atSix = [];
  for (const { title, memory, focus } of [await demoMemory(), ...(await packageMemories({ cache, say }))]) {
    say(`\n${title}`);
    for (let count = 2; count <= Math.min(ITERATIONS, memory.length); count += 1) {
      const task = { memory: memory.slice(0, count), minSupport: 2, steer: STEER, focus };
      const { tokens, rawTokens, patterns } = await mine(task);
      const ratio = rawTokens / tokens;
      const cells = [`  ${count}`, `raw ${rawTokens}`, `momentum ${tokens}`, `${ratio.toFixed(0)}×`];
      say(
        [...cells, `${patterns.length} patterns`]
          .map((cell) => cell.padEnd(16))
          .join('')
          .trimEnd(),
      );
      if (tokens > 150) isSmall = false;
      if (count === 6) atSix.push({ title, ratio });
    }
  }
  say('\nRatio with 6 failed updates (goal: above 30 on updates of real size):');
  for (const { title, ratio } of atSix) say(`  ${ratio.toFixed(0)}×  ${title}`);
  return isSmall;
}

/** The updates of the demo's recorded session, taken as failed: those that differed are of the same kind and size. */
async function demoMemory() {
  const { entries } = JSON.parse(readFileSync(join(DEMO, 'session.json'), 'utf8'));
  const submitted = entries.flatMap(({ answer }) =>
    (answer.toolCalls ?? []).filter(({ name }) => name === 'submit_update'),
  );
  const memory = submitted.map(({ argumentsText }, index) => {
    const { operations, failedDirection } = JSON.parse(argumentsText);
    const tests = operations.flatMap(({ name, test, file, source }) =>
      source === undefined ? [] : [{ name: name ?? test, file, source }],
    );
    return failed({ step: index + 1, direction: failedDirection ?? '', tests });
  });
  const issue = readFileSync(join(DEMO, 'issue.md'), 'utf8');
  return { title: "the demo's recorded session, an update a step", memory, focus: [...codeNames(issue)] };
}

async function packageMemories({ cache, say }) {
  const memories = [];
  for (const wanted of FILES) {
    const dir = sourceOf({ ...wanted, cache, say });
    if (dir === null) continue;
    const text = readFileSync(join(dir, wanted.file), 'utf8');
    const tests = (await indexTests({ file: wanted.file, text })).filter(
      ({ kind, isTest }) => kind !== 'class' && isTest,
    );
    const memory = Array.from({ length: ITERATIONS }, (_, index) => {
      const own = tests.slice(index * TESTS_AN_UPDATE, (index + 1) * TESTS_AN_UPDATE);
      return failed({ step: index + 1, tests: own.map(({ name, source }) => ({ name, file: wanted.file, source })) });
    });
    const title = `${wanted.package} ${wanted.version}, ${wanted.file}: ${TESTS_AN_UPDATE} tests an update`;
    memories.push({ title, memory, focus: wanted.focus });
  }
  return memories;
}

const failed = ({ step, direction = '', tests }) => ({
  step,
  kind: 'uniform',
  reason: `Its ${tests.length} rows ended ${5 * tests.length} pass.`,
  direction,
  tests,
  deleted: [],
});

/** The unpacked source release, fetched once; null with a line where it cannot be had. */
function sourceOf({ package: name, version, cache, say }) {
  const dir = join(cache, `${name}-${version}`);
  if (existsSync(dir)) return dir;
  const work = `${dir}.part`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--no-binary', ':all:'];
  const { status } = spawnSync('python3', [...pip, '--dest', work, `${name}==${version}`], { stdio: 'ignore' });
  const archive = status === 0 ? readdirSync(work).find((file) => file.endsWith('.tar.gz')) : undefined;
  if (archive === undefined) {
    say(`\n${name} ${version} is left out: python3 -m pip could not fetch its source release.`);
    return null;
  }
  const path = join(work, archive);
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (digest !== DIGESTS[name]) throw new Error(`${path} has SHA-256 ${digest}, expected ${DIGESTS[name]}.`);
  const unpacked = spawnSync('tar', ['-xzf', path, '-C', work, '--strip-components=1']);
  if (unpacked.status !== 0) throw new Error(`${path} cannot be unpacked: ${unpacked.stderr}`);
  renameSync(work, dir);
  return dir;
}
