import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { readItems } from '../datasets/read-items.js';
import { patchForm } from './patch-form.js';
import type { PredictionItem, PredictionSource, SourceLayout } from './prediction.js';
import { readPredictionRow } from './prediction-row.js';
import { findSourceFiles } from './source-layout.js';

/** An item of a source, with the layout that it was read by; null where none could be told. */
export interface SourceItem {
  readonly layout: SourceLayout | null;
  readonly item: PredictionItem;
}

/**
 * The predictions of one source, one after the other, in the order of the file; memory stays at one row. Nothing is
 * decided here: rows that are bad, double or of unknown instances come out as they are.
 *
 * Throws TG-I03 when there is no such source, TG-I06 for a file in no known format.
 */
export async function* readPredictions(source: PredictionSource): AsyncGenerator<SourceItem> {
  const files = await findSourceFiles(source);
  if (files.kind === 'diffs') {
    for (const { instanceId, path } of files.diffs) {
      const patch = await readFile(path);
      // Read as one character a byte: the form of a patch does not depend on its encoding.
      const form = patchForm(patch.toString('latin1'));
      const item = { kind: 'prediction' as const, instanceId, position: null, patch, form, place: basename(path) };
      yield { layout: 'diffs', item };
    }
    return;
  }
  for await (const read of readItems({ path: files.path })) {
    if (read.kind === 'malformed') {
      yield { layout: null, item: read };
      continue;
    }
    const row = readPredictionRow(read);
    const layout = row.layout === 'rows' && files.isSubmission ? 'submission' : row.layout;
    for (const item of row.items) yield { layout, item };
  }
}
