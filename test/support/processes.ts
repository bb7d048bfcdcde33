import { readdirSync, readFileSync } from 'node:fs';

/** An argument that marks the processes of one test, so that survivors can be told from strangers. */
export const marker = (): string => `marker-${process.pid}-${Math.random().toString(36).slice(2)}`;

/** Numbers of the running processes whose command line holds a text; those that have ended do not count. */
export function processesWith(text: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && runsWith({ name, text }))
    .map(Number);
}

function runsWith({ name, text }: { name: string; text: string }): boolean {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    const isZombie = stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
    return !isZombie && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text);
  } catch {
    return false;
  }
}

/** Waits until `done` holds; throws with `what` when it does not within ten seconds. */
export async function eventually({ what, done }: { what: string; done: () => boolean }): Promise<void> {
  const until = performance.now() + 10_000;
  while (!done()) {
    if (performance.now() > until) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Numbers of the processes that have a folder in their command line or environment: what a state folder's stack and its
 * sandboxes of either kind run.
 */
export function processesOf(folder: string): readonly number[] {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const files = (name: string): string[] => [`/proc/${name}/cmdline`, `/proc/${name}/environ`];
  return names.filter((name) => files(name).some((file) => textOf(file).includes(folder))).map(Number);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
