import type { UsableCandidate } from '../../../src/core/candidate.js';
import type { Cell, Matrix, MatrixRow, Score } from '../../../src/core/matrix.js';
import type { OutcomeStatus } from '../../../src/core/outcome.js';

/** Who wrote the candidates; no prompt may ever hold one of these. */
export const AGENTS = ['OpenHands', 'Sonar', 'Trae_doubao', 'Livesweagent'];

export const LABELS = { c1: 'C', c2: 'A', c3: 'D', c4: 'B' };

export const ISSUE = `# Replacing a value evicts too much

Storing a value under a key that is in the cache needs room only for the
**difference** between the new size and the old one. \`popitem()\` is called while
the total would not fit, and not once more.

- \`currsize\` always is the sum of what the items were counted with, and never
  more than \`maxsize\`.
`;

export const SETUP = { runner: 'pytest 8.4.2', pythonVersion: '3.11.7' };

export const cell = (status: OutcomeStatus, more: Partial<Cell> = {}): Cell => ({
  status,
  phase: 'call',
  message: status === 'passed' ? '' : `E   assert ${status}`,
  reruns: [],
  ...more,
});

/** A row whose cells are given for c1 … c4 and the base. */
export function row({
  testId,
  cells,
  base = 'passed',
  ...more
}: { testId: string; cells: readonly (OutcomeStatus | Cell)[]; base?: OutcomeStatus } & Partial<
  Omit<MatrixRow, 'cells' | 'base'>
>): MatrixRow {
  const full = cells.map((each) => (typeof each === 'string' ? cell(each) : each));
  return {
    testId,
    origin: 'original',
    step: 0,
    kind: 'uniform',
    cells: Object.fromEntries(full.map((each, index) => [`c${index + 1}`, each])),
    base: cell(base),
    judgement: null,
    ...more,
  };
}

export const matrix = (rows: readonly MatrixRow[]): Matrix => ({
  schema: 'testgrad.matrix/1',
  step: 1,
  candidates: ['c1', 'c2', 'c3', 'c4'],
  rows,
});

export const score = (more: Partial<Score> = {}): Score => ({
  loss: 1,
  leaders: ['c1', 'c2', 'c3', 'c4'],
  leaderLoss: 1,
  unconfirmed: [],
  unjudged: [],
  counts: { rows: 7, uniform: 7, differential: 0, flaky: 0, weak: 0, evidence: 0 },
  ...more,
});

export const usable = (index: number): UsableCandidate => ({
  kind: 'usable',
  id: `c${index + 1}`,
  agent: AGENTS[index] as string,
  label: Object.values(LABELS)[index] as string,
  treeId: `tree${index}`,
  sameAs: `c${index + 1}`,
  sourcePatch: { digest: `digest${index}`, bytes: 1, mediaType: 'text/x-diff' },
  changedFiles: ['src/cachetools/__init__.py'],
  setAside: [],
  added: 3 + index,
  removed: 1,
});
