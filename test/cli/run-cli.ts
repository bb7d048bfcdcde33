import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expectDocuments } from '../support/documents.js';

const LOADER = fileURLToPath(new URL('../support/ts-source.mjs', import.meta.url));
/** Compiled once for all the processes that tests start. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/testgrad/compiled', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** What a command left behind. */
export interface CliResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command line as a process of its own, from source, with an environment that holds nothing of this machine
 * but PATH. `home` is HOME and the parent of the state folder.
 */
export function runCli({
  args,
  home,
  cwd = home,
  env = {},
  input = '',
  onStderr = () => undefined,
}: {
  args: readonly string[];
  home: string;
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  input?: string;
  /** Called with the process and all that it has written to standard error so far. */
  onStderr?: (process: ReturnType<typeof spawn>, text: string) => void;
}): Promise<CliResult> {
  const child = spawn(process.execPath, ['--import', LOADER, MAIN, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TESTGRAD_HOME: `${home}/state`,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...env,
    },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
    onStderr(child, stderr);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => {
      try {
        expectDocuments({ args, stdout });
        resolve({ exitCode, stdout, stderr });
      } catch (error) {
        reject(error);
      }
    });
  });
}
