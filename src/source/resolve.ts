import { boundBy } from './import-statement.js';
import { whyMissing } from './missing-name.js';
import type { Definition, Outline } from './outline.js';
import { type Refusal, refused } from './planned-edit.js';

/** Where a qualified name leads: an index into the outline's definitions. */
export interface Resolved {
  readonly kind: 'resolved';
  readonly index: number;
  readonly definition: Definition;
  /** Earlier definitions of the same name in the same scope, which this one replaces. */
  readonly shadowed: readonly Definition[];
}

/**
 * Finds a definition by its qualified name, `Class::test` or `test`.
 *
 * As in Python, the last one of equal names counts. Refused when that depends on the run (definitions in different
 * branches of an `if` or `try`) and when the earlier ones are in use too (`@value.setter`).
 */
export function resolveDefinition({
  outline,
  path,
}: {
  readonly outline: Outline;
  readonly path: string;
}): Resolved | Refusal {
  let owner = -1;
  let found: Resolved | undefined;
  for (const name of path.split('::')) {
    const candidates = membersNamed({ outline, owner, name });
    const last = candidates.at(-1);
    const definition = outline.definitions[last ?? -1];
    if (last === undefined || definition === undefined) {
      return refused(whyMissing({ outline, path }));
    }
    const shadowed = candidates.slice(0, -1).flatMap((index) => outline.definitions[index] ?? []);
    const problem = ambiguity({ outline, definition, shadowed });
    if (problem !== null) {
      return refused(problem);
    }
    found = { kind: 'resolved', index: last, definition, shadowed };
    owner = last;
  }
  return found ?? refused('The name of the test is empty.');
}

/** Indices of the definitions with a name in one scope: the module (-1) or a class. */
function membersNamed({
  outline,
  owner,
  name,
}: {
  readonly outline: Outline;
  readonly owner: number;
  readonly name: string;
}): readonly number[] {
  return outline.definitions.flatMap((definition, index) =>
    definition.name === name && outline.blocks[definition.block]?.owner === owner ? [index] : [],
  );
}

function ambiguity({
  outline,
  definition,
  shadowed,
}: {
  readonly outline: Outline;
  readonly definition: Definition;
  readonly shadowed: readonly Definition[];
}): string | null {
  if (shadowed.length === 0) {
    return null;
  }
  const all = [...shadowed, definition];
  const where = `\`${definition.path}\` is defined ${all.length} times, in lines ${all.map((one) => one.startLine).join(', ')}`;
  if (new Set(all.map((one) => outline.blocks[one.block]?.branch)).size > 1) {
    return `${where}, and which one counts depends on a condition.`;
  }
  if (all.some((one) => one.decorators.some((decorator) => decorator.startsWith(`${one.name}.`)))) {
    return `${where}, and they belong together.`;
  }
  return null;
}

/** Says where a name is taken in a scope: by a definition, an assignment or an import; null when it is free. */
export function takenName({
  outline,
  owner,
  name,
}: {
  readonly outline: Outline;
  readonly owner: number;
  readonly name: string;
}): string | null {
  const lineOf = (index: number): number => outline.lines.at(index) + 1;
  const defined = outline.definitions[membersNamed({ outline, owner, name }).at(-1) ?? -1];
  if (defined !== undefined) {
    return `\`${defined.path}\` is there already, line ${defined.startLine}`;
  }
  const bound = outline.bindings.find((binding) => binding.owner === owner && binding.name === name);
  if (bound !== undefined) {
    return `\`${name}\` is assigned in line ${lineOf(bound.start)}`;
  }
  const imported = outline.imports.find(
    ({ module, names }) => owner < 0 && names.some((one) => boundBy({ module, name: one }).bound === name),
  );
  return imported === undefined ? null : `\`${name}\` is imported in line ${lineOf(imported.start)}`;
}
