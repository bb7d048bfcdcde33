import { statfs } from 'node:fs/promises';
import type { FileOutcome } from '../core/outcome.js';
import { EnvironmentError } from '../errors.js';

/** What a recorder and a test's own files need at the very least. */
const NEEDED_BYTES = 1024 * 1024;

/** True when every test of a file ran and none came out badly. */
const isFine = ({ state, outcomes }: FileOutcome): boolean =>
  state === 'ran' && outcomes.every(({ status }) => ['passed', 'skipped', 'xfailed'].includes(status));

const FULL = /No space left on device|ENOSPC|Disk quota exceeded/;

/**
 * True when a test file came out badly and says that the disk was full. When it has room by now, another execution tells
 * whether the code was the reason or somebody who has tidied up in the meantime.
 */
export const speaksOfFullDisk = (outcome: FileOutcome): boolean =>
  !isFine(outcome) &&
  [outcome.reason, ...outcome.outcomes.map(({ message }) => message)].some((text) => FULL.test(text));

/**
 * Throws EnvironmentError TG-E03 when a test file came out badly on a disk that has no room: the disk may be the reason,
 * and nothing is held against the code. To be asked when the execution's own files are gone, so that code which fills
 * the disk answers for it.
 *
 * @param dir on the disk in question
 */
export async function blameDisk({ outcome, dir }: { outcome: FileOutcome; dir: string }): Promise<void> {
  if (isFine(outcome)) return;
  const { bavail, bsize } = await statfs(dir);
  if (bavail * bsize >= NEEDED_BYTES) return;
  throw new EnvironmentError({
    code: 'TG-E03',
    what: `No space left in ${dir}, where ${outcome.file} ran.`,
    meaning: 'What the tests said there says nothing about the code, so it is left out.',
    fix: 'Free some space; the run goes on by itself, or run the same command again.',
  });
}
