import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { InputError } from '../../errors.js';
import { downloadFile } from './download-file.js';
import { type Hub, type HubFile, type HubListing, HubUnreachable, listDataset } from './hub-client.js';
import { splitFiles } from './split-files.js';

/** A split of a dataset as files on this machine. */
export interface FetchedSplit {
  readonly commit: string;
  /** Absolute paths, shards in order. */
  readonly files: readonly string[];
  /** For people, e.g. that the cache was used because the hub cannot be reached. */
  readonly notices: readonly string[];
}

/**
 * Brings a split of a hub's dataset onto this machine, or finds it there: files are kept by commit, so nothing is loaded
 * twice and a revision that is a full commit needs no network once it is there. Without network the commit that the
 * revision stood for last is used, with a notice.
 *
 * Throws TG-I15 when the split is not in the cache and cannot be downloaded, or when there is no such dataset or split.
 */
export async function fetchSplit({
  hub,
  id,
  revision,
  split,
  cacheDir,
}: {
  hub: Hub;
  id: string;
  revision: string;
  split: string;
  /** Kept between runs; may be removed at any time. */
  cacheDir: string;
}): Promise<FetchedSplit> {
  const folder = join(cacheDir, 'hub', id.replace('/', '--'));
  const known = await readListing({ folder, revision });
  const isCommit = /^[0-9a-f]{40}$/.test(revision);
  const cached = known === null ? null : await present({ folder, listing: known, split });
  if (isCommit && cached !== null) return { ...cached, notices: [] };
  try {
    const listing = await listDataset({ hub, id, revision });
    const chosen = chosenFiles({ listing, id, split });
    for (const file of chosen) {
      await downloadFile({ hub, id, commit: listing.commit, file, path: join(folder, listing.commit, file.path) });
    }
    await writeListing({ folder, revision, listing });
    return { commit: listing.commit, files: absolute({ folder, listing, chosen }), notices: [] };
  } catch (error) {
    if (!(error instanceof HubUnreachable)) throw error;
    if (cached === null) throw offline({ id, split, reason: error.message });
    return { ...cached, notices: [`${error.message}; ${id} is used as it was fetched before (${cached.commit}).`] };
  }
}

const absolute = ({
  folder,
  listing,
  chosen,
}: {
  folder: string;
  listing: HubListing;
  chosen: readonly HubFile[];
}): string[] => chosen.map((file) => join(folder, listing.commit, file.path));

function chosenFiles({ listing, id, split }: { listing: HubListing; id: string; split: string }): HubFile[] {
  const found = splitFiles({ paths: listing.files.map(({ path }) => path), split });
  if (found.kind === 'files') {
    return found.files.flatMap((name) => listing.files.filter(({ path }) => path === name));
  }
  throw new InputError({
    code: 'TG-I15',
    what: `Dataset ${id} has no split ${split}.`,
    meaning: `It has: ${found.splits.join(', ') || 'no JSON, JSONL or parquet file'}. Nothing was started.`,
    fix: found.splits.length === 0 ? 'Check the id.' : `Choose one: --split ${found.splits[0]}.`,
  });
}

/** The split's files in the cache, when all of them are there. */
async function present({
  folder,
  listing,
  split,
}: {
  folder: string;
  listing: HubListing;
  split: string;
}): Promise<{ commit: string; files: string[] } | null> {
  const chosen = splitFiles({ paths: listing.files.map(({ path }) => path), split });
  if (chosen.kind === 'none') return null;
  const files = chosen.files.map((path) => join(folder, listing.commit, path));
  const found = await Promise.all(files.map((file) => stat(file).catch(() => null)));
  return found.includes(null) ? null : { commit: listing.commit, files };
}

const listingFile = ({ folder, revision }: { folder: string; revision: string }): string =>
  join(folder, 'revisions', `${encodeURIComponent(revision)}.json`);

async function readListing({ folder, revision }: { folder: string; revision: string }): Promise<HubListing | null> {
  try {
    return JSON.parse(await readFile(listingFile({ folder, revision }), 'utf8')) as HubListing;
  } catch {
    return null;
  }
}

async function writeListing({
  folder,
  revision,
  listing,
}: {
  folder: string;
  revision: string;
  listing: HubListing;
}): Promise<void> {
  for (const name of new Set([revision, listing.commit])) {
    const path = listingFile({ folder, revision: name });
    await mkdir(dirname(path), { recursive: true });
    const partial = `${path}.${randomUUID()}.part`;
    await writeFile(partial, JSON.stringify(listing));
    await rename(partial, path);
  }
}

function offline({ id, split, reason }: { id: string; split: string; reason: string }): InputError {
  return new InputError({
    code: 'TG-I15',
    what: `Dataset ${id} (split ${split}) is not in the cache and cannot be downloaded: ${reason}.`,
    meaning: 'Nothing was started.',
    fix: `Where there is network: hf download ${id} --repo-type dataset --local-dir DIR. Then: --dataset DIR, or one file of it.`,
  });
}
