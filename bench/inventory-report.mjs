#!/usr/bin/env node
// How often each aspect of the inventory is found in the test files of real projects.
//
//   node bench/inventory-report.mjs [--sample N] [--seed S] DIR…
//
// Each DIR is a checkout or an unpacked source release. Every test file is read as the only relevant one, with what it
// builds on found in its project. With --sample, N entries are drawn with their source lines, to be checked by eye.

import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

// The sources are run as they are, without a build.
registerHooks({
  resolve: (specifier, context, next) => {
    const isOwn = specifier.startsWith('.') && context.parentURL?.includes('/src/') === true;
    return next(isOwn ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
const { buildInventory, inventoryOfFile, renderInventory } = await import('../src/source/inventory.ts');
const { isTestModule } = await import('../src/core/test-paths.ts');
const { countTokens } = await import('../src/llm/tokens.ts');

/** As the method's paper gives them for 200 sampled test files, in per cent. */
const ASPECTS = [
  { aspect: 'api', title: 'project APIs', paper: 96 },
  { aspect: 'assertion', title: 'assertions', paper: 91 },
  { aspect: 'fixture', title: 'set-up, fixtures', paper: 83 },
  { aspect: 'base-class', title: 'base classes', paper: 79 },
  { aspect: 'expected-value', title: 'expected values', paper: 71 },
  { aspect: 'helper', title: 'helpers and test doubles', paper: null },
  // Classes, models and constants of test modules left out: what the paper calls a helper.
  {
    aspect: 'helper',
    title: 'helper functions',
    paper: 64,
    isCounted: ({ detail = '' }) => /^(async )?\(/.test(detail),
  },
];
/** Instances of SWE-bench Verified, of which the paper drew its files. */
const INSTANCES = {
  django: 231,
  sympy: 75,
  sphinx: 44,
  matplotlib: 34,
  scikit: 32,
  astropy: 22,
  xarray: 22,
  pytest: 19,
  pylint: 10,
  requests: 8,
  seaborn: 2,
  flask: 1,
};
const PROMPT_TOKENS = 1500;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: '0' }, seed: { type: 'string', default: '1' } },
});
if (positionals.length === 0) {
  console.error('usage: node bench/inventory-report.mjs [--sample N] [--seed S] DIR…');
  process.exit(2);
}

async function measure(root) {
  const paths = testFiles(root);
  const texts = new Map();
  const read = async (path) => {
    if (!texts.has(path)) {
      texts.set(path, textOf(join(root, path)));
    }
    return texts.get(path);
  };
  const known = new Map();
  const times = [];
  const inventoryOf = async ({ path, text }) => {
    if (!known.has(path)) {
      const start = performance.now();
      const file = await inventoryOfFile({ path, text });
      times.push({ path, ms: performance.now() - start, chars: text.length });
      known.set(path, file);
    }
    return known.get(path);
  };
  const files = [];
  for (const path of paths) {
    await read(path);
    const options = { testFiles: [path], read, projectModules: [], inventoryOf };
    const inventory = await buildInventory(options);
    const start = performance.now();
    await buildInventory(options);
    const againMs = performance.now() - start;
    const tokens = countTokens(renderInventory({ inventory, countTokens, maxTokens: PROMPT_TOKENS }));
    files.push({ path, inventory, againMs, tokens });
  }
  return { name: basename(root), root, files, times };
}

/** Test modules below a folder, in the order of their paths, relative to it. */
function testFiles(root) {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => isTestModule({ path, runner: 'pytest' }))
    .sort();
  // What is called like a test and holds none is data or a package's own code.
  return found.filter((path) => /^\s*(async )?def test|^\s*class \w*Test/m.test(textOf(join(root, path)) ?? ''));
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Entries that a file itself uses; what is merely on offer does not count as found. */
function found({ inventory }, { aspect, isCounted = () => true }) {
  return inventory.entries.filter((one) => one.aspect === aspect && one.count > 0 && isCounted(one));
}

function printTable(projects) {
  const all = projects.flatMap(({ files }) => files);
  const rows = [...projects, { name: 'all', files: all }].map(({ name, files }) => {
    const cells = ASPECTS.map((column) => {
      const counts = files.map((file) => found(file, column).length);
      const share = (100 * counts.filter((count) => count > 0).length) / files.length;
      const mean = counts.reduce((sum, count) => sum + count, 0) / files.length;
      return `${share.toFixed(0)}% · ${mean.toFixed(1)}`;
    });
    const skipped = files.filter(({ path, inventory }) => inventory.skipped.some(({ file }) => file === path)).length;
    return [name, files.length, ...cells, skipped];
  });
  const weighted = (weightOf) =>
    ASPECTS.map((column) => {
      const sums = projects.map(({ name, files }) => {
        const share = files.filter((file) => found(file, column).length > 0).length / files.length;
        return { weight: weightOf(name), share };
      });
      const total = sums.reduce((sum, { weight }) => sum + weight, 0);
      return `${((100 * sums.reduce((sum, { weight, share }) => sum + weight * share, 0)) / total).toFixed(0)}%`;
    });
  const instancesOf = (name) => INSTANCES[/^[a-z]+/.exec(name.toLowerCase())?.[0] ?? ''] ?? 0;
  rows.push(['each project once', '', ...weighted(() => 1), '']);
  rows.push(['by instances', '', ...weighted(instancesOf), '']);
  rows.push(['paper', 200, ...ASPECTS.map(({ paper }) => (paper === null ? '' : `${paper}%`)), '']);
  console.log(table(['project', 'test files', ...ASPECTS.map(({ title }) => title), 'not read'], rows));
}

function printTimes(projects) {
  const rows = projects.map(({ name, times, files }) => {
    const total = times.reduce((sum, { ms }) => sum + ms, 0);
    const chars = times.reduce((sum, one) => sum + one.chars, 0);
    const largest = times.reduce((best, one) => (one.chars > best.chars ? one : best));
    const again = files.map(({ againMs }) => againMs).sort((left, right) => left - right);
    const full = files.filter(({ tokens }) => tokens > PROMPT_TOKENS).length;
    return [
      name,
      times.length,
      `${(total / times.length).toFixed(1)}`,
      `${(chars / total / 1000).toFixed(2)}`,
      `${largest.ms.toFixed(0)} (${largest.path}, ${(largest.chars / 1000).toFixed(0)} kB)`,
      `${(again[again.length >> 1] ?? 0).toFixed(1)}`,
      full,
    ];
  });
  const head = [
    'project',
    'files read',
    'ms a file',
    'MB a second',
    'ms of the largest',
    'median ms when known',
    'over budget',
  ];
  console.log(`\n${table(head, rows)}`);
}

function printSample(projects) {
  const wanted = Number(values.sample);
  const random = generator(Number(values.seed));
  for (let drawn = 0; drawn < wanted; drawn += 1) {
    // The same number for every project and aspect, whatever their sizes.
    const project = projects[drawn % projects.length];
    const column = ASPECTS[Math.floor(drawn / projects.length) % ASPECTS.length];
    const holders = project.files.filter((file) => found(file, column).length > 0);
    const file = holders[Math.floor(random() * holders.length)];
    const entries = file === undefined ? [] : found(file, column);
    const entry = entries[Math.floor(random() * entries.length)];
    if (entry === undefined) {
      console.log(`\n[${drawn + 1}] ${project.name} ${column.title}: none`);
      continue;
    }
    const { symbol, detail = '', count, line, usedAt } = entry;
    console.log(`\n[${drawn + 1}] ${project.name} ${column.title}: ${symbol} | ${detail} | ×${count} in ${file.path}`);
    const lines = (textOf(join(project.root, entry.file)) ?? '').split('\n');
    console.log(
      `  ${entry.file}:${line}: ${lines
        .slice(line - 1, line + 1)
        .join(' ⏎ ')
        .slice(0, 200)}`,
    );
    if (usedAt !== undefined) {
      const used = (textOf(join(project.root, usedAt.file)) ?? '').split('\n')[usedAt.line - 1] ?? '';
      console.log(`  used ${usedAt.file}:${usedAt.line}: ${used.trim().slice(0, 160)}`);
    }
  }
}

/** Numbers in [0, 1) that a seed determines (mulberry32). */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const projects = [];
for (const dir of positionals) {
  projects.push(await measure(resolve(dir)));
}
printTable(projects);
printTimes(projects);
printSample(projects);
