// How scripts that make images run programs.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program and returns its output; rejects with the end of what it said. */
export async function run(command, argv, options = {}) {
  try {
    return (await promisify(execFile)(command, argv, { maxBuffer: 2 ** 28, ...options })).stdout;
  } catch (error) {
    const said = `${error.stdout ?? ''}\n${error.stderr ?? ''}`.trim();
    throw new Error(`${command} ${argv[0]} failed: ${(said || error.message).slice(-2_000)}`);
  }
}

export const pip = (...argv) => run('python3', ['-m', 'pip', '--disable-pip-version-check', ...argv, '-q']);
