// What processes and files cost, read from /proc and the file system.
import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const TICKS_PER_SECOND = 100;

/** CPU seconds so far and resident MB of a process; null when it is gone. */
export function processUse(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND, rssMb: (pages * 4096) / 1e6 };
  } catch {
    return null;
  }
}

/** MB of a database with what belongs to it. */
export function databaseMb(file) {
  const sizes = ['', '-wal', '-shm'].map((end) => {
    try {
      return statSync(`${file}${end}`).size;
    } catch {
      return 0;
    }
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}

/** Files and MB below a folder. */
export async function folderUse(dir) {
  let [files, bytes] = [0, 0];
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    files += 1;
    bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return { files, mb: bytes / 1e6 };
}

/** The lines of a table in Markdown. */
export function markdownTable(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
