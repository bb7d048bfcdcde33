// Finds processes by the TMPDIR that they were started with. Looks into /proc, so it finds nothing elsewhere than on
// Linux.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

// Servers that were told to stop as the last test ended may still be at it.
const PATIENCE_MS = 5_000;

/** Ends what still runs with `scratch` as its TMPDIR after a moment's patience, and returns what had to be ended. */
export async function endLeftovers({ scratch }) {
  const deadline = Date.now() + PATIENCE_MS;
  while (leftovers(scratch).length > 0 && Date.now() < deadline) await sleep(200);
  return endNow({ scratch });
}

/** Ends what runs with `scratch` as its TMPDIR, and what that started meanwhile; returns what was ended. */
export async function endNow({ scratch }) {
  const ended = new Map();
  for (let round = 0; round < 20; round += 1) {
    const found = leftovers(scratch);
    if (found.length === 0) break;
    for (const process of found) {
      ended.set(process.pid, process);
      kill(process.pid);
    }
    await sleep(100);
  }
  return [...ended.values()];
}

/** A process that has ended and is not yet collected has no environment any more, so it is not among them. */
function leftovers(scratch) {
  return pids()
    .filter((pid) => pid !== process.pid && read(`/proc/${pid}/environ`).includes(`TMPDIR=${scratch}`))
    .map((pid) => ({ pid, command: read(`/proc/${pid}/cmdline`).join(' ').slice(0, 200) }));
}

function pids() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8').split('\0');
  } catch {
    return [];
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}
