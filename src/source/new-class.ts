import { rolesOf } from './naming.js';
import type { Outline } from './outline.js';

/**
 * The header of a class that does not exist yet, or null where no runner would collect it.
 *
 * It derives from the `*TestCase` that most of the file's test classes derive from directly (the later one on a tie),
 * unless more of them derive from no such class.
 */
export function newClassHeader({
  outline,
  className,
}: {
  readonly outline: Outline;
  readonly className: string;
}): { readonly text: string; readonly bodyIndent: string } | null {
  const roles = rolesOf(outline);
  const votes = new Map<string, number>();
  for (const [index, definition] of outline.definitions.entries()) {
    if (definition.type === 'class' && roles[index]?.isTest === true) {
      const base = definition.bases.find((name) => /^[\w.]*TestCase$/.test(name)) ?? '';
      const count = (votes.get(base) ?? 0) + 1;
      votes.delete(base);
      votes.set(base, count);
    }
  }
  const base = [...votes].reduce((best, one) => (one[1] >= best[1] ? one : best), ['', 0] as const)[0];
  if (base === '' && !className.startsWith('Test')) {
    return null;
  }
  const bodyIndent = outline.definitions.find(
    ({ type, bodyIndent: own }) => type === 'class' && own !== '',
  )?.bodyIndent;
  return { text: `class ${className}${base === '' ? '' : `(${base})`}:`, bodyIndent: bodyIndent ?? '    ' };
}
