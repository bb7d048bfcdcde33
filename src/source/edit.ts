import type { Operation } from '../core/suite.js';
import { planCreate } from './edit-create.js';
import { planDelete } from './edit-delete.js';
import { planUpdate } from './edit-update.js';
import { applyTextEdits } from './lines.js';
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
    text: applied.after.outline.text,
    ...(removedSource === undefined ? {} : { removedSource }),
  };
}

/** A parsed module between two operations. */
export interface ModuleState {
  readonly outline: Outline;
  /** Number of syntax errors. */
  readonly errors: number;
}

/** Parses a module's text. */
export function readModule({ python, text }: { readonly python: UsePython; readonly text: string }): ModuleState {
  return python({
    text,
    use: (root) => ({ outline: outlineOf({ root, text }), errors: errorCountOf({ root, text }) }),
  });
}

/** {@link applyOperation} from parsed module to parsed module. */
export function applyWith({
  python,
  before,
  operation,
}: {
  readonly python: UsePython;
  readonly before: ModuleState;
  readonly operation: Operation;
}): { readonly kind: 'applied'; readonly after: ModuleState; readonly removedSource?: string } | Refusal {
  const imports = operation.op === 'delete' ? [] : (operation.imports ?? []);
  const merged = mergeImports({ python, outline: before.outline, imports });
  if (merged.kind === 'refused') {
    return merged;
  }
  const isMerged = merged.text !== before.outline.text;
  const base = isMerged ? readModule({ python, text: merged.text }) : before;
  const plan = planOperation({ python, outline: base.outline, operation });
  if (plan.kind === 'refused') {
    return plan;
  }
  const after = readModule({ python, text: applyTextEdits({ text: base.outline.text, edits: plan.edits }) });
  if (after.errors > before.errors) {
    return refused('The file would not parse with this source.');
  }
  const damage = damageOf({ before: before.outline, after: after.outline, touches: plan.touches, leaves: plan.leaves });
  if (damage !== null) {
    return refused(damage);
  }
  const { removedSource } = plan;
  return { kind: 'applied', after, ...(removedSource === undefined ? {} : { removedSource }) };
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
  switch (operation.op) {
    case 'create':
      return planCreate({ python, outline, operation });
    case 'update':
      return planUpdate({ python, outline, operation });
    case 'delete':
      return planDelete({ outline, operation });
  }
}
