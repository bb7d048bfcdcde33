import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../errors.js';

/** What there is under the path of a source. */
export type SourceFiles =
  | { readonly kind: 'file'; readonly path: string; readonly isSubmission: boolean }
  /** Patches in files of their own; several of one instance are told as duplicates. */
  | { readonly kind: 'diffs'; readonly diffs: readonly { readonly instanceId: string; readonly path: string }[] };

/** Names of the file with all predictions in a submission to the leaderboard or in the folder of an agent's run. */
const PREDICTION_FILES = ['all_preds.jsonl', 'preds.jsonl', 'preds.json', 'all_preds.json', 'predictions.jsonl'];

const DIFF = /\.(diff|patch)$/i;

/**
 * Finds the predictions under a path: a file; a folder with `all_preds.jsonl`, `preds.json` or `predictions.jsonl`; a
 * folder with `ID.diff` or `ID.patch` files, or with a folder an instance that holds a `patch.diff` or one such file,
 * directly or under `logs`.
 *
 * Throws TG-I03 when there is nothing of that.
 */
export async function findSourceFiles({ path, given }: { path: string; given: string }): Promise<SourceFiles> {
  const found = await stat(path).catch((cause: unknown) => Promise.reject(absent({ given, cause })));
  if (!found.isDirectory()) return { kind: 'file', path, isSubmission: false };
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.map(({ name }) => name);
  const whole = PREDICTION_FILES.find((name) => names.includes(name));
  if (whole !== undefined) return { kind: 'file', path: join(path, whole), isSubmission: true };
  const diffs = names
    .filter((name) => DIFF.test(name))
    .map((name) => ({ instanceId: name.replace(DIFF, ''), path: join(path, name) }));
  for (const parent of [path, join(path, 'logs')]) {
    diffs.push(...(await diffsOfFolders(parent)));
  }
  if (diffs.length > 0) {
    return { kind: 'diffs', diffs: diffs.sort((left, right) => (left.instanceId < right.instanceId ? -1 : 1)) };
  }
  throw new InputError({
    code: 'TG-I03',
    what: `--preds ${given}: the folder holds no predictions.`,
    meaning: `Looked for ${PREDICTION_FILES.join(', ')}, ID.diff, ID.patch and ID/patch.diff. Nothing was started.`,
    fix: 'Name the file of predictions itself.',
  });
}

async function diffsOfFolders(parent: string): Promise<{ instanceId: string; path: string }[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const found: { instanceId: string; path: string }[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory()) continue;
    const names = (await readdir(join(parent, entry.name))).filter((name) => DIFF.test(name)).sort();
    const chosen = names.includes('patch.diff') ? ['patch.diff'] : names;
    found.push(...chosen.map((name) => ({ instanceId: entry.name, path: join(parent, entry.name, name) })));
  }
  return found;
}

function absent({ given, cause }: { given: string; cause: unknown }): InputError {
  const code = (cause as NodeJS.ErrnoException).code;
  return new InputError({
    code: 'TG-I03',
    what: `--preds ${given}: ${code === 'ENOENT' ? 'there is no such file or folder' : String(code)}.`,
    meaning: 'Nothing was started.',
    fix: 'Check the path.',
    cause,
  });
}
