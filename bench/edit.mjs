// `npm run bench:edit [-- FILE…]`: statements parsed per second, and the time of inventory plus edit for a large test
// file. Without a file it fetches the source of Django, pinned, from PyPI and takes its largest test file.
//
// Warm: in this process, after warm-up, with the file read anew each time. Cold: in a new process, without and with
// loading the parser. Goal: inventory plus edit in less than 150 ms.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../test/support/ts-source.mjs';

const { applyEdit } = await import('../src/source/apply-edit.ts');
const { buildInventory } = await import('../src/source/inventory.ts');
const { loadPython } = await import('../src/source/parser.ts');
const { indexTests } = await import('../src/source/test-index.ts');
const { statementSequences } = await import('../src/source/statements.ts');

const PACKAGE = 'django==5.2.6';
const LARGEST = 'tests/admin_views/tests.py';
const GOAL_MS = 150;
const ROUNDS = 15;
const STATEMENT = /_statement$|_definition$|^decorator$/;

/** Wall time and processor time of all threads, in milliseconds. */
const elapsed = async (use) => {
  const started = performance.now();
  const before = process.cpuUsage();
  await use();
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - started, cpu: (user + system) / 1000 };
};
const sum = (one, other) => ({ wall: one.wall + other.wall, cpu: one.cpu + other.cpu });
const middle = (numbers) => numbers.toSorted((left, right) => left - right)[numbers.length >> 1];
const median = (times) => ({
  wall: middle(times.map(({ wall }) => wall)),
  cpu: middle(times.map(({ cpu }) => cpu)),
});
const spread = (times) => {
  const { wall, cpu } = median(times);
  const best = Math.min(...times.map((time) => time.wall));
  return `median ${wall.toFixed(0)} ms (${cpu.toFixed(0)} ms of processor time), best ${best.toFixed(0)} ms`;
};

/** Inventory of a file and one created test, one updated and one deleted, each as the product does it. */
const inventoryOf = ({ path, text }) =>
  buildInventory({ testFiles: [path], read: async (one) => (one === path ? text : null), projectModules: ['django'] });
const OPERATIONS = ({ path, target }) => ({
  create: {
    op: 'create',
    file: path,
    name: 'test_of_the_benchmark',
    source: 'def test_of_the_benchmark():\n    assert 1',
  },
  update: {
    op: 'update',
    file: path,
    test: target.name,
    source: `${target.source}\n    # changed`,
    staleBecause: 'x',
  },
  delete: { op: 'delete', file: path, test: target.name, obsoleteBecause: 'x' },
});

async function edit({ path, text, operation }) {
  const result = await applyEdit({ files: new Map([[path, text]]), operations: [operation] });
  if (result.kind === 'refused') throw new Error(result.reason);
}

/** Reads texts that have nothing in common with the file, so that none of its trees is remembered. */
async function forget() {
  const python = await loadPython();
  for (let index = 0; index < 6; index += 1) {
    const line = `value_${index} = ${'x'.repeat(index)}y\n`;
    python({ text: line.repeat(Math.ceil(5000 / line.length)), use: (root) => root.childCount });
  }
}

/** A test in the middle of the file. */
async function targetIn({ path, text }) {
  const tests = (await indexTests({ file: path, text })).filter(({ kind }) => kind === 'test');
  const last = new Map(tests.map((test) => [test.name, test]));
  return [...last.values()][last.size >> 1];
}

async function measureWarm({ path, text, target }) {
  const rows = { parse: [], inventory: [], create: [], update: [], delete: [] };
  const python = await loadPython();
  for (let round = 0; round < ROUNDS; round += 1) {
    await forget();
    const parse = await elapsed(() => python({ text, use: (root) => root.childCount }));
    for (const [name, operation] of Object.entries(OPERATIONS({ path, target }))) {
      await forget();
      const inventory = await elapsed(() => inventoryOf({ path, text }));
      const edited = await elapsed(() => edit({ path, text, operation }));
      if (round < ROUNDS / 3) continue;
      rows.inventory.push(inventory);
      rows[name].push(sum(inventory, edited));
    }
    if (round >= ROUNDS / 3) rows.parse.push(parse);
  }
  return rows;
}

/** In a new process: loading the parser, the inventory, one created test. */
async function measureCold({ path, text, target }) {
  const load = await elapsed(loadPython);
  const inventory = await elapsed(() => inventoryOf({ path, text }));
  const create = await elapsed(() => edit({ path, text, operation: OPERATIONS({ path, target }).create }));
  console.log(JSON.stringify({ load, inventory, create }));
}

async function statementsOf(text) {
  const python = await loadPython();
  return python({
    text,
    use: (root) => {
      const open = [root];
      let count = 0;
      for (let node = open.pop(); node !== undefined; node = open.pop()) {
        if (STATEMENT.test(node.type)) count += 1;
        open.push(...node.namedChildren);
      }
      return count;
    },
  });
}

/** The largest test file of the pinned package, through pip. */
async function fetchLargest() {
  const dir = await mkdtemp(join(tmpdir(), 'testgrad-bench-'));
  const quiet = { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] };
  execFileSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', 'django', PACKAGE], quiet);
  execFileSync('sh', ['-c', 'tar xzf *.tar.gz --strip-components=1'], quiet);
  return { dir, file: join(dir, LARGEST) };
}

async function report({ file, name }) {
  const text = await readFile(file, 'utf8');
  const path = name ?? `tests/${basename(file)}`;
  const target = await targetIn({ path, text });
  const statements = await statementsOf(text);
  const sequences = await elapsed(() => statementSequences({ source: text, abstractLiterals: false }));
  const warm = await measureWarm({ path, text, target });
  const cold = [1, 2, 3].map(() => {
    const answer = execFileSync(process.execPath, [fileURLToPath(import.meta.url), '--cold', file, target.name]);
    return JSON.parse(answer.toString());
  });
  const perSecond = (ms) =>
    `${Math.round((statements / ms) * 1000).toLocaleString('en')} statements a second of processor time`;
  console.log(`${path}: ${text.length.toLocaleString('en')} characters, ${statements.toLocaleString('en')} statements`);
  console.log(`  parse                ${spread(warm.parse)} (${perSecond(median(warm.parse).cpu)})`);
  console.log(`  statement sequences  ${spread([sequences])} (${perSecond(sequences.cpu)})`);
  console.log(`  inventory            ${spread(warm.inventory)}`);
  for (const op of ['create', 'update', 'delete']) console.log(`  inventory + ${op}   ${spread(warm[op])}`);
  const both = cold.map(({ inventory, create }) => sum(inventory, create));
  console.log(
    `  cold: inventory + create ${spread(both)}; loading the parser before ${spread(cold.map(({ load }) => load))}`,
  );
  const worst = Math.max(...['create', 'update', 'delete'].map((op) => median(warm[op]).wall));
  console.log(`  goal, warm, below ${GOAL_MS} ms: ${worst < GOAL_MS ? 'met' : 'missed'} (${worst.toFixed(0)} ms)`);
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === '--cold') {
  const [file, test] = rest;
  const text = await readFile(file, 'utf8');
  await measureCold({ path: `tests/${basename(file)}`, text, target: { name: test, source: '' } });
} else {
  console.log(
    `Node ${process.version}, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)} on ${cpus().length} cores`,
  );
  const files = mode === undefined ? [] : [mode, ...rest];
  if (files.length > 0) for (const file of files) await report({ file });
  else {
    const { dir, file } = await fetchLargest();
    try {
      await report({ file, name: LARGEST });
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  }
}
