import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Container } from './docker-container.js';
import { COPY_MS } from './docker-container.js';
import { answerOf } from './docker-daemon.js';
import { isNotFound } from './docker-failure.js';
import type { UnpackedItem } from './docker-tar.js';
import { unpackItems } from './docker-tar.js';
import { isWithin } from './paths.js';

/** What is taken of a scratch directory; what comes after it stays behind. */
const SCRATCH_BYTES = 64 * 1024 ** 2;

/**
 * Brings the files that a program left in its scratch directory to this host's. It may have put there what it likes:
 * links, pipes and devices stay behind, as does what is too much, and a directory that is not there is an empty one.
 */
export async function fetchScratch({
  container,
  scratchDir,
}: {
  container: Container;
  scratchDir: string;
}): Promise<void> {
  const root = dirname(scratchDir);
  for (const { path, kind, content } of await scratchItems({ container, scratchDir })) {
    const place = join(root, path);
    if (place === scratchDir || !isWithin(place, scratchDir)) continue;
    if (kind === 'folder') await mkdir(place, { recursive: true });
    if (kind === 'file') {
      await rm(place, { recursive: true, force: true });
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, content);
    }
  }
}

async function scratchItems(input: { container: Container; scratchDir: string }): Promise<readonly UnpackedItem[]> {
  try {
    const archive = await answerOf(input.container.getArchive({ path: input.scratchDir }));
    return (await answerOf(unpackItems({ archive, maxBytes: SCRATCH_BYTES }), COPY_MS)).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
