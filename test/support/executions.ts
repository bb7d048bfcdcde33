import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The executions of test files on this machine, seen from outside of their sandboxes. */
export interface ExecutionWatch {
  /** Test files of all so far, by their throw-away folder and the file: a folder may serve for several files. */
  readonly seen: () => ReadonlyMap<string, string>;
  /** Keys of those that run now. */
  readonly running: () => readonly string[];
  readonly end: () => void;
}

/**
 * Looks at the processes of this machine, many times a second, for those that run a test file in a throw-away folder of
 * a state folder. What runs inside of a sandbox cannot add to this or take away from it.
 */
export function watchExecutions({ home }: { home: string }): ExecutionWatch {
  const seen = new Map<string, string>();
  const runs = join(home, 'work', 'runs');
  const look = (): string[] => {
    const found = executionsNow(runs);
    for (const [key, file] of found) seen.set(key, file);
    return [...found.keys()];
  };
  const timer = setInterval(look, 25);
  return { seen: () => seen, running: look, end: () => clearInterval(timer) };
}

function executionsNow(runs: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const process = read(pid);
    if (process === null) continue;
    const file = process.arguments.at(-1) ?? '';
    const place = [...process.arguments, process.cwd].find((text) => text.startsWith(`${runs}/`));
    const folder = place?.slice(runs.length + 1).split('/')[1];
    if (folder !== undefined && process.arguments.includes('testgrad_recorder')) found.set(`${folder} ${file}`, file);
  }
  return found;
}

function read(pid: string): { readonly arguments: readonly string[]; readonly cwd: string } | null {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return { arguments: text.split('\0').filter((part) => part !== ''), cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    // It has ended, or is not ours to look at.
    return null;
  }
}
