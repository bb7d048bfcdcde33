import { patchBytes } from './patch-bytes.js';
import { patchForm } from './patch-form.js';
import type { PredictionItem, SourceLayout } from './prediction.js';

/** The predictions of one row of a file, and the layout that the row has. */
export interface ReadRow {
  readonly layout: Extract<SourceLayout, 'rows' | 'augment' | 'trae'> | null;
  readonly items: readonly PredictionItem[];
}

/**
 * The predictions of one row: `instance_id` and `model_patch` (SWE-bench; the id may be the row's key instead), `id` and
 * `diffs` (Augment), or `instance_id` and `patches` (TRAE). What a file says of the candidates being right stands in
 * other fields (`eval_outcomes`, `success_id`) and is not looked at here.
 */
export function readPredictionRow({
  value,
  key,
  place,
}: {
  value: unknown;
  key: string | null;
  place: string;
}): ReadRow {
  // mini-swe-agent's oldest files hold the patch itself under the id.
  const row = typeof value === 'string' && key !== null ? { instance_id: key, model_patch: value } : value;
  if (typeof row !== 'object' || row === null || Array.isArray(row)) {
    return { layout: null, items: [{ kind: 'malformed', place, problem: 'not an object' }] };
  }
  const fields = row as Readonly<Record<string, unknown>>;
  const instanceId = idOf({ fields, key });
  if (instanceId !== null && 'model_patch' in fields) {
    return { layout: 'rows', items: [prediction({ instanceId, position: null, text: fields.model_patch, place })] };
  }
  const layout = Array.isArray(fields.diffs) ? 'augment' : Array.isArray(fields.patches) ? 'trae' : null;
  if (instanceId === null || layout === null) {
    return { layout: null, items: [{ kind: 'other-fields', place, fields: Object.keys(fields).slice(0, 12) }] };
  }
  const texts = (layout === 'augment' ? fields.diffs : fields.patches) as readonly unknown[];
  return { layout, items: texts.map((text, position) => prediction({ instanceId, position, text, place })) };
}

/** Id of a row: a field of its own or, in Augment's files, `id`; else its key. Trimmed. */
export function idOf({
  fields,
  key,
}: {
  fields: Readonly<Record<string, unknown>>;
  key: string | null;
}): string | null {
  for (const found of [fields.instance_id, fields.id, key]) {
    if (typeof found === 'string' && found.trim() !== '') return found.trim();
  }
  return null;
}

function prediction({
  instanceId,
  position,
  text,
  place,
}: {
  instanceId: string;
  position: number | null;
  text: unknown;
  place: string;
}): PredictionItem {
  if (text !== null && text !== undefined && typeof text !== 'string') {
    return { kind: 'malformed', place, problem: `the patch of ${instanceId} is not text` };
  }
  const patch = text ?? '';
  return { kind: 'prediction', instanceId, position, patch: patchBytes(patch), form: patchForm(patch), place };
}
