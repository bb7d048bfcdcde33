import { rowOf, targetOf } from '../core/operation.js';
import type { Operation } from '../core/suite.js';
import { planCreate } from './edit-create.js';
import { planDelete } from './edit-delete.js';
import { planRow } from './edit-row.js';
import { planUpdate } from './edit-update.js';
import { applyTextEdits, type TextEdit } from './lines.js';
import { mergeImports } from './merge-imports.js';
import { type Outline, outlineOf } from './outline.js';
import { loadPython, type UsePython } from './parser.js';
import { type PlannedEdit, type Refusal, refused } from './planned-edit.js';
import { damageOf, errorCountOf } from './verify-edit.js';

/** The text after an operation. */
export interface AppliedOperation {
  readonly kind: 'applied';
  readonly text: string;
  /**
   * What an update or a delete replaced: whole lines as in the file, indented as there. Given back as the source of an
   * update it restores the old definition byte for byte.
   */
  readonly removedSource?: string;
}

/**
 * Carries out one operation on the text of its file; an empty text is a new file.
 *
 * Everything that the operation does not name stays as it is, byte for byte. Refused, with a reason for whoever wrote
 * the operation, when it names nothing or something ambiguous, when its source is not one complete definition, and when
 * the result would have a syntax error that the text had not, or would change another definition.
 *
 * - `create` puts a function into an existing class, into a new one (`className` names none yet), or to the module's
 *   end, before a trailing `if __name__ == "__main__"`. A class that is not there yet may be given as the whole source.
 *   A new class derives from the `*TestCase` that most test classes of the file derive from, if they do.
 * - `update` replaces a complete definition; it may rename it. The update of a class may not drop its members.
 * - `delete` removes a test or helper with the blank lines in front of it, and leaves `pass` in an emptied class.
 * - `update` and `delete` of one row of a parametrised test, `Class::test[1-2]`: the row's source replaces the row.
 */
export async function applyOperation({
  text,
  operation,
}: {
  readonly text: string;
  readonly operation: Operation;
}): Promise<AppliedOperation | Refusal> {
  const python = await loadPython();
  const applied = applyWith({ python, before: readModule({ python, text }), operation });
  if (applied.kind === 'refused') {
    return applied;
  }
  const { removedSource } = applied;
  return {
    kind: 'applied',
    text: applied.after.text,
    ...(removedSource === undefined ? {} : { removedSource }),
  };
}

/** Reads a module's outline. */
export const readModule = ({ python, text }: { readonly python: UsePython; readonly text: string }): Outline =>
  python({ text, use: (root) => outlineOf({ root, text }) });

/** A module after an operation. */
export interface AppliedTo {
  readonly kind: 'applied';
  readonly after: Outline;
  /** Definition that holds what was written, by its qualified name; null when nothing but imports changed. */
  readonly edited: string | null;
  readonly removedSource?: string;
}

/** {@link applyOperation} from parsed module to parsed module. */
export function applyWith({
  python,
  before,
  operation,
}: {
  readonly python: UsePython;
  readonly before: Outline;
  readonly operation: Operation;
}): AppliedTo | Refusal {
  if (/\r(?!\n)/.test(before.text)) {
    return refused('The file has lone carriage returns, which are line breaks to Python; such files are not edited.');
  }
  const imports = operation.op === 'delete' ? [] : (operation.imports ?? []);
  const merged = mergeImports({ python, outline: before, imports });
  if (merged.kind === 'refused') {
    return merged;
  }
  const isMerged = merged.text !== before.text;
  const base = isMerged ? readModule({ python, text: merged.text }) : before;
  const plan = planOperation({ python, outline: base, operation });
  if (plan.kind === 'refused') {
    return plan;
  }
  const after = readModule({ python, text: applyTextEdits({ text: base.text, edits: plan.edits }) });
  const errors = errorsIn({ python, text: after.text, within: changedRange({ base, after, edits: plan.edits }) });
  if (errors > 0 && errors > errorsIn({ python, text: before.text })) {
    return refused('The file would not parse with this source.');
  }
  const damage = damageOf({ before, after, touches: plan.touches, leaves: plan.leaves });
  if (damage !== null) {
    return refused(damage);
  }
  const { removedSource } = plan;
  const edited = after.text === base.text ? null : plan.leaves;
  return { kind: 'applied', after, edited, ...(removedSource === undefined ? {} : { removedSource }) };
}

const errorsIn = ({
  python,
  text,
  within = { start: 0, end: text.length },
}: {
  readonly python: UsePython;
  readonly text: string;
  readonly within?: { readonly start: number; readonly end: number };
}): number => python({ text, use: (root) => errorCountOf({ root, text, within }) });

/** The part of a text that edits wrote; what is outside of it is as it was. */
function changedRange({
  base,
  after,
  edits,
}: {
  readonly base: Outline;
  readonly after: Outline;
  readonly edits: readonly TextEdit[];
}) {
  const start = Math.min(after.text.length, ...edits.map((edit) => edit.start));
  const rest = base.text.length - Math.max(0, ...edits.map((edit) => edit.end));
  return { start, end: Math.max(start, after.text.length - rest) };
}

function planOperation({
  python,
  outline,
  operation,
}: {
  readonly python: UsePython;
  readonly outline: Outline;
  readonly operation: Operation;
}): PlannedEdit | Refusal {
  if (operation.op === 'create') return planCreate({ python, outline, operation });
  const path = targetOf(operation);
  const row = rowOf(operation);
  if (row !== null) return planRow({ python, outline, operation, path, row });
  return operation.op === 'update' ? planUpdate({ python, outline, operation, path }) : planDelete({ outline, path });
}
