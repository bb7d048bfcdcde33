// Everything that must hold before a change is done. Runs all steps even when one fails, and ends with the line
// `N passed, N failed[, N skipped]`: the tests as vitest counts them, and every other step that failed as one more. With
// `--docker` also the tests with containers, where Docker can be had.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './bootstrap.mjs';
import { removeDockerd } from './dockerd.mjs';
import { endLeftovers, endNow } from './leftovers.mjs';

const BIN = join(ROOT, 'node_modules', '.bin');
const CHECKS = [
  { name: 'format', command: join(BIN, 'biome'), argv: ['format', '.'] },
  { name: 'lint', command: join(BIN, 'biome'), argv: ['lint', '--error-on-warnings', '.'] },
  { name: 'types', command: join(BIN, 'tsc'), argv: ['--noEmit', '-p', 'tsconfig.json'] },
  { name: 'knip', command: join(BIN, 'knip'), argv: [] },
  { name: 'build', command: process.execPath, argv: [join('scripts', 'build.mjs')] },
];

const NONE = { passed: 0, failed: 0, skipped: 0, problems: [], notes: [] };
/** A daemon that is ended ends its containers first. */
const PATIENCE_MS = 60_000;

// Everything that tests leave lies in this folder, and whatever runs with it in its environment was started here.
const scratch = mkdtempSync(join(tmpdir(), 'testgrad-verify-'));
// Some tests give up root and still have a folder in it.
chmodSync(scratch, 0o711);
let ending = false;
/** The tests with containers while they run: they may have a daemon, which they end when they are told to. */
let withDaemon = null;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, async () => {
    ending = true;
    if (withDaemon !== null) await ended({ child: withDaemon, signal });
    await endNow({ scratch });
    removeScratch();
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
  const tests = await runTests({ name: 'vitest', command: join(BIN, 'vitest'), argv: ['run'] });
  const docker = process.argv.includes('--docker') ? await runDockerTests() : NONE;
  const leftovers = await endLeftovers({ scratch });

  const problems = [
    ...failedChecks.map((name) => `${name} failed`),
    ...tests.problems,
    ...docker.problems,
    ...leftovers.map(({ pid, command }) => `tests left a process running: ${pid} ${command}`),
  ];
  const failed = tests.failed + docker.failed + problems.length;
  const checks = CHECKS.map(({ name }) => `${name} ${failedChecks.includes(name) ? 'FAILED' : 'ok'}`);
  const all = tests.skipped + docker.skipped;
  const skipped = all === 0 ? '' : `, ${all} skipped`;
  const lines = [checks.join(', '), ...docker.notes, ...problems.map((problem) => `problem: ${problem}`)];
  const passed = tests.passed + docker.passed;
  process.stdout.write(`\n${lines.join('\n')}\n${passed} passed, ${failed} failed${skipped}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  removeScratch();
}

/** The folder, and what a daemon that had to be killed has mounted in it. */
function removeScratch() {
  removeDockerd({ dir: scratch });
}

/** Passes a signal on and waits for the end, for a while. */
async function ended({ child, signal }) {
  const end = new Promise((resolve) => child.once('close', resolve));
  child.kill(signal);
  await Promise.race([end, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

/**
 * Runs a program to its end; returns its exit code, or null when it did not start or was killed. `onLine` is called with
 * what it says on stdout; without it that goes straight to the terminal.
 */
function run({ command, argv, onLine }) {
  return new Promise((resolve) => {
    const env = { ...process.env, TMPDIR: scratch };
    const stdio = ['ignore', onLine === undefined ? 'inherit' : 'pipe', 'inherit'];
    const child = spawn(command, argv, { cwd: ROOT, env, stdio });
    if (onLine !== undefined) {
      withDaemon = child;
      createInterface({ input: child.stdout }).on('line', (line) => {
        process.stdout.write(`${line}\n`);
        onLine(line);
      });
    }
    child.once('error', () => resolve(null));
    child.once('close', (code) => {
      if (withDaemon === child) withDaemon = null;
      // It was ended because this program is; what it did not do is no result.
      if (!ending) resolve(code);
    });
  });
}

/** The tests with containers. Where there is no Docker, `notes` has the line that says so. */
async function runDockerTests() {
  process.stdout.write('\n== test:docker\n');
  const notes = [];
  const onLine = (line) => line.startsWith('SKIPPED: ') && notes.push(line);
  const argv = [join('scripts', 'test-docker.mjs')];
  const isSkipped = () => notes.length > 0;
  return { ...(await runTests({ name: 'test:docker', command: process.execPath, argv, onLine, isSkipped })), notes };
}

async function runTests({ name, command, argv, onLine, isSkipped = () => false }) {
  const report = join(scratch, `${name.replace(':', '-')}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run({ command, argv: [...argv, ...reporters], onLine });
  if (code === 0 && isSkipped()) return NONE;
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    return { ...NONE, problems: [`${name} left no result`] };
  }
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests, numTodoTests = 0, testResults } = result;
  const unread = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const problems = unread.map(({ name: file }) => `no test could be read from ${file}`);
  // Such as an error that no test was waiting for.
  if (code !== 0 && failed === 0 && problems.length === 0) problems.push(`${name} failed outside of its tests`);
  return { passed, failed, skipped: numPendingTests + numTodoTests, problems };
}
