// Everything that must hold before a change is done. Runs all steps even when one fails, and ends with the line
// `N passed, N failed[, N skipped]`: the tests as vitest counts them, and every other step that failed as one more.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './bootstrap.mjs';
import { endLeftovers, endNow } from './leftovers.mjs';

const BIN = join(ROOT, 'node_modules', '.bin');
const CHECKS = [
  { name: 'format', command: join(BIN, 'biome'), argv: ['format', '.'] },
  { name: 'lint', command: join(BIN, 'biome'), argv: ['lint', '--error-on-warnings', '.'] },
  { name: 'types', command: join(BIN, 'tsc'), argv: ['--noEmit', '-p', 'tsconfig.json'] },
  { name: 'knip', command: join(BIN, 'knip'), argv: [] },
  { name: 'build', command: process.execPath, argv: [join('scripts', 'build.mjs')] },
];

// Everything that tests leave lies in this folder, and whatever runs with it in its environment was started here.
const scratch = mkdtempSync(join(tmpdir(), 'testgrad-verify-'));
// Some tests give up root and still have a folder in it.
chmodSync(scratch, 0o711);
let ending = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, async () => {
    ending = true;
    await endNow({ scratch });
    rmSync(scratch, { recursive: true, force: true });
    process.exit(128 + constants.signals[signal]);
  });
}

try {
  const failedChecks = [];
  for (const { name, command, argv } of CHECKS) {
    process.stdout.write(`\n== ${name}\n`);
    if ((await run({ command, argv })) !== 0) failedChecks.push(name);
  }
  process.stdout.write('\n== test\n');
  const tests = await runTests();
  const leftovers = await endLeftovers({ scratch });

  const problems = [
    ...failedChecks.map((name) => `${name} failed`),
    ...tests.problems,
    ...leftovers.map(({ pid, command }) => `tests left a process running: ${pid} ${command}`),
  ];
  const failed = tests.failed + problems.length;
  const checks = CHECKS.map(({ name }) => `${name} ${failedChecks.includes(name) ? 'FAILED' : 'ok'}`);
  const skipped = tests.skipped === 0 ? '' : `, ${tests.skipped} skipped`;
  const lines = [checks.join(', '), ...problems.map((problem) => `problem: ${problem}`)];
  process.stdout.write(`\n${lines.join('\n')}\n${tests.passed} passed, ${failed} failed${skipped}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Runs a program to its end; returns its exit code, or null when it did not start or was killed. */
function run({ command, argv }) {
  return new Promise((resolve) => {
    const env = { ...process.env, TMPDIR: scratch };
    const child = spawn(command, argv, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', () => resolve(null));
    child.once('close', (code) => {
      // It was ended because this program is; what it did not do is no result.
      if (!ending) resolve(code);
    });
  });
}

async function runTests() {
  const report = join(scratch, 'vitest.json');
  const argv = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run({ command: join(BIN, 'vitest'), argv });
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 0, skipped: 0, problems: ['vitest left no result'] };
  }
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests, numTodoTests = 0, testResults } = result;
  const unread = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const problems = unread.map(({ name }) => `no test could be read from ${name}`);
  // Such as an error that no test was waiting for.
  if (code !== 0 && failed === 0 && problems.length === 0) problems.push('vitest failed outside of its tests');
  return { passed, failed, skipped: numPendingTests + numTodoTests, problems };
}
