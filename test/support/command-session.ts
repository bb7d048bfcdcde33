import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestEnvironment } from '../../src/core/instance.js';
import { TEST_CACHE_DIR } from './temporal-server.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Compiled once for all the commands that tests start. */
const COMPILE_CACHE = join(ROOT, 'node_modules', '.cache', 'testgrad', 'compiled');

/** What commands of a block came to. */
export interface BlockEnd {
  readonly exitCode: number | null;
  /** Standard output and standard error as they came. */
  readonly output: string;
}

/** A shell in which the commands of a page are run one block after the other. */
export interface CommandSession {
  /** Runs commands in the folder and with the variables that the ones before left; stops at the first that fails. */
  run(commands: readonly string[]): Promise<BlockEnd>;
  /** Runs a command that ends with Ctrl+C, and presses it when `isReady` says so of what it has printed. */
  runUntil(command: string, isReady: (output: string) => Promise<boolean>): Promise<BlockEnd>;
}

/**
 * A bash session that starts in `dir` and knows nothing of this machine but PATH. `testgrad` is the built command line
 * with `home` as its state folder; where sandboxes cannot be made it runs without, and `doctor` may say that one is missing.
 */
export async function openSession({
  dir,
  home,
  sandbox,
}: {
  dir: string;
  home: string;
  sandbox: TestEnvironment['sandbox'];
}): Promise<CommandSession> {
  const programs = join(dir, '.session', 'bin');
  await mkdir(programs, { recursive: true });
  const main = join(ROOT, 'dist', 'cli', 'main.js');
  const call = `"${process.execPath}" "${main}" "$@"`;
  const unprotected = `case "$1" in select|matrix|bench) set -- "$@" --sandbox none;; doctor) ${call}; exit 0;; esac\n`;
  const script = `#!/bin/sh\n${sandbox === 'none' ? unprotected : ''}exec ${call}\n`;
  await writeFile(join(programs, 'testgrad'), script);
  await chmod(join(programs, 'testgrad'), 0o755);
  const [variables, folder] = [join(dir, '.session', 'variables'), join(dir, '.session', 'folder')];

  const start = (commands: readonly string[]) => {
    const script = [
      'set -e',
      existsSync(variables) ? `. '${variables}'; cd "$(cat '${folder}')"` : `cd '${dir}'`,
      ...commands,
      `export -p > '${variables}'; pwd > '${folder}'`,
    ];
    // A process group of its own, as a terminal gives each command: Ctrl+C reaches all of it.
    return spawn('bash', ['-c', script.join('\n')], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: [programs, join(ROOT, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter),
        TMPDIR: tmpdir(),
        HOME: home,
        TESTGRAD_HOME: home,
        TESTGRAD_CACHE: TEST_CACHE_DIR,
        NODE_COMPILE_CACHE: COMPILE_CACHE,
        TESTGRAD: ROOT.replace(/\/$/, ''),
      },
    });
  };
  const follow = (
    child: ReturnType<typeof start>,
    onOutput: (output: string) => void = () => undefined,
  ): Promise<BlockEnd> =>
    new Promise((resolve, reject) => {
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
          onOutput(output);
        });
      }
      child.once('error', reject);
      child.once('close', (exitCode) => resolve({ exitCode, output }));
    });

  return {
    run: (commands) => follow(start(commands)),
    runUntil: (command, isReady) => {
      const child = start([command]);
      let asked = false;
      return follow(child, (output) => {
        if (asked) return;
        // More than one question may be on its way when the first answer ends the program.
        const answer = isReady(output).catch(() => false);
        void answer.then((ready) => {
          if (!ready || asked || child.pid === undefined) return;
          asked = true;
          process.kill(-child.pid, 'SIGINT');
        });
      });
    },
  };
}
