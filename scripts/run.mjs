// What the npm scripts call: makes the checkout ready, builds when sources changed, then runs one thing.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { bootstrap, ROOT, SetupError } from './bootstrap.mjs';
import { isFresh } from './build.mjs';

const VERBS = {
  test: ['node_modules/vitest/vitest.mjs', 'run'],
  testgrad: ['dist/cli/main.js'],
  cluster: ['scripts/test-cluster.mjs'],
  chaos: ['scripts/test-chaos.mjs'],
  demo: ['examples/demo/run.mjs'],
  mine: ['dist/cli/mine/main.js'],
  'bench:momentum': ['bench/momentum.mjs'],
  'bench:page': ['bench/page.mjs'],
  'bench:scale': ['bench/scale.mjs'],
  verify: ['scripts/verify.mjs'],
};

const [verb = '', ...argv] = process.argv.slice(2);
const target = VERBS[verb];
try {
  if (target === undefined)
    throw new SetupError(`Usage: node scripts/run.mjs ${Object.keys(VERBS).join('|')} [arguments]`);
  const node = await bootstrap();
  // `verify` builds as one of its steps.
  if (verb !== 'verify' && !isFresh()) await buildWith(node);
  const [script, ...fixed] = target;
  // npm changes to the checkout; paths among the arguments are meant from where the person is.
  const cwd = process.env.npm_lifecycle_event === verb ? process.env.INIT_CWD : undefined;
  await finishLike(await run({ node, argv: [join(ROOT, script), ...fixed, ...argv], stdio: 'inherit', cwd }));
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function buildWith(node) {
  process.stderr.write('Building …\n');
  // Results go to stdout, so nothing else may.
  const ended = await run({ node, argv: [join(ROOT, 'scripts', 'build.mjs')], stdio: ['ignore', 2, 2] });
  if (ended.code !== 0) await finishLike(ended);
}

/** Runs a program to its end and passes it the signals that this process gets. */
function run({ node, argv, stdio, cwd }) {
  return new Promise((resolve, reject) => {
    // `node` on the PATH of whatever this starts is the one that is new enough.
    const PATH = `${join(ROOT, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`;
    const child = spawn(node, argv, { stdio, cwd, env: { ...process.env, PATH } });
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    const forward = (signal) => {
      // A terminal has sent Ctrl+C to the child already, and a second one would mean something else to it.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of signals) process.on(signal, forward);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      resolve({ code, signal });
    });
  });
}

/** Ends as the program ended: with its exit code, or by the signal that killed it. */
async function finishLike({ code, signal }) {
  if (signal === null) process.exit(code ?? 1);
  process.kill(process.pid, signal);
  // Reached only when the signal does not end this process.
  process.exit(128 + (constants.signals[signal] ?? 0));
}
