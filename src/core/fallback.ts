import type { PreparedCandidate } from './candidate.js';
import type { Matrix } from './matrix.js';

/**
 * Chooses by rule when nothing decides: the largest class of candidates with the same tree, then the most passed tests,
 * then the order given.
 *
 * `allowed` are the ids that may be chosen, such as the leaders; when it names no usable candidate, all of them may. A
 * class counts all its members and is represented by its first. `passCounts` are those of {@link passCountsOf}, by
 * candidate id; an id that is absent counts 0. Returns the id, null when no candidate is usable, and a sentence that
 * names the rule.
 */
export function fallbackOrder({
  candidates,
  allowed,
  passCounts,
}: {
  candidates: readonly PreparedCandidate[];
  allowed: readonly string[];
  passCounts: Readonly<Record<string, number>>;
}): { selectedId: string | null; rule: string } {
  const classes = treeClasses({ candidates, passCounts });
  const open = classes.filter((each) => each.members.some((id) => allowed.includes(id)));
  const ranked = [...(open.length > 0 ? open : classes)].sort(
    (a, b) => b.members.length - a.members.length || b.passed - a.passed,
  );
  const [best, next] = ranked;
  if (!best) return { selectedId: null, rule: 'No candidate is usable.' };
  return { selectedId: best.id, rule: ruleSentence({ best, next }) };
}

/** Passed tests of each candidate, without flaky rows: what came out by chance is not counted. */
export function passCountsOf(matrix: Matrix): Record<string, number> {
  const rows = matrix.rows.filter((row) => row.kind !== 'flaky');
  return Object.fromEntries(
    matrix.candidates.map((id) => [id, rows.filter((row) => row.cells[id]?.status === 'passed').length]),
  );
}

interface TreeClass {
  readonly id: string;
  readonly members: readonly string[];
  readonly passed: number;
}

function treeClasses({
  candidates,
  passCounts,
}: {
  candidates: readonly PreparedCandidate[];
  passCounts: Readonly<Record<string, number>>;
}): TreeClass[] {
  const usable = candidates.filter((each) => each.kind === 'usable');
  const firsts = [...new Set(usable.map((each) => each.sameAs))];
  return firsts.map((id) => ({
    id,
    members: usable.filter((each) => each.sameAs === id).map((each) => each.id),
    passed: passCounts[id] ?? 0,
  }));
}

function ruleSentence({ best, next }: { best: TreeClass; next: TreeClass | undefined }): string {
  if (!next) return 'By rule: it is the only one left to choose from.';
  if (best.members.length > next.members.length) {
    return `By rule: ${best.members.length} candidates make this same change, ${next.members.length} the next one.`;
  }
  if (best.passed > next.passed) return `By rule: it passes ${best.passed} tests, the next one ${next.passed}.`;
  return 'By rule: it comes first in the order given; identical patches and passed tests do not decide.';
}
