import { join } from 'node:path';

/** A dataset after its import: what selections and reports know of it. Holds nothing of what grades, nor where it is. */
export interface Dataset {
  readonly schema: 'testgrad.dataset/1';
  /** SHA-256 over the content of its files and the version of the adapter; names the imported files. */
  readonly key: string;
  /** As it was named: a path, a short name, or a Hugging Face id. */
  readonly name: string;
  /** Commit on the hub; null for local files. */
  readonly revision: string | null;
  readonly split: string;
  /** Instance ids in the order of the dataset; unique. */
  readonly ids: readonly string[];
  /** Instances that can be scored: those with tests that grade. */
  readonly gradable: number;
  /** Rows that were left out, and why. */
  readonly problems: readonly DatasetProblem[];
  /** For people, e.g. that the cache was used because the hub cannot be reached. */
  readonly notices: readonly string[];
}

/** A row of a dataset that was left out. */
export interface DatasetProblem {
  readonly place: string;
  readonly instanceId: string | null;
  readonly problem: string;
}

/** Raise when what `adaptRow` makes of a row changes: what was imported by another version is imported anew. */
export const ADAPTER_VERSION = 1;

/** File of the rows that selections read. */
export const selectionFile = ({ cacheDir, key }: { cacheDir: string; key: string }): string =>
  join(cacheDir, 'imported', key, 'selection.jsonl');

/** File that says what was imported; written last. */
export const datasetFile = ({ cacheDir, key }: { cacheDir: string; key: string }): string =>
  join(cacheDir, 'imported', key, 'dataset.json');
