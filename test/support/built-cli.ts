import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expectDocuments } from './documents.js';
import { TEST_CACHE_DIR } from './temporal-server.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = join(ROOT, 'dist', 'cli', 'main.js');

/** Builds what is stale; two test files that do so at one time wait for each other. */
export async function buildCli(): Promise<void> {
  await execa(process.execPath, [join(ROOT, 'scripts', 'build.mjs')], { cwd: ROOT });
}

/** What a command left behind. */
export interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly end: Promise<Finished>;
}

/**
 * Starts the built command line as a process of its own, in an environment that holds nothing of this machine but PATH
 * and where temporary files go. `home` is the state folder.
 */
export function startCli({
  args,
  home,
  env = {},
}: {
  args: readonly string[];
  home: string;
  env?: Readonly<Record<string, string>>;
}): Running {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      TMPDIR: tmpdir(),
      HOME: home,
      TESTGRAD_HOME: home,
      TESTGRAD_CACHE: TEST_CACHE_DIR,
      ...env,
    },
  });
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk.toString()));
  const end = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => {
      try {
        // One that a test killed may have left half a document.
        if (exitCode !== null) expectDocuments({ args, stdout: stdout.join('') });
        resolve({ exitCode, stdout: stdout.join(''), stderr: stderr.join('') });
      } catch (error) {
        reject(error);
      }
    });
  });
  return { child, end };
}
