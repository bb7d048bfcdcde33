import type { TextEdit } from './lines.js';

/** Why an operation was not carried out, for whoever wrote it: what is wrong and what to do instead. */
export interface Refusal {
  readonly kind: 'refused';
  readonly reason: string;
}

/** What an operation does to a text, before it is done. */
export interface PlannedEdit {
  readonly kind: 'planned';
  readonly edits: readonly TextEdit[];
  /** Qualified names that the operation may create, change or remove; the members of a class go with it. */
  readonly touches: readonly string[];
  /** Qualified name of the definition that the text must hold afterwards; null for a delete. */
  readonly leaves: string | null;
  /** The lines that an update or a delete replaces, as in the file. */
  readonly removedSource?: string;
}

export const refused = (reason: string): Refusal => ({ kind: 'refused', reason });
