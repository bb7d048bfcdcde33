import type { PreparedCandidate } from '../../src/core/candidate.js';
import type { DecidingTest, Decision, StepRecord } from '../../src/core/decision.js';
import type { Cell, Matrix, MatrixRow, RowKind } from '../../src/core/matrix.js';
import type { OutcomeStatus } from '../../src/core/outcome.js';
import type { RowClass, Suite } from '../../src/core/suite.js';

const DIGEST = 'ab'.repeat(32);

export const ISSUE_SENTENCE = 'A OneToOneField to a parent must be accepted as the parent link.';
export const NEW_TEST = 'tests/invalid_models/test_models.py::TestParentLink::test_onetoone_parent';

export const TEST_SOURCE = [
  'def test_onetoone_parent(self):',
  '    class Parent(models.Model):',
  '        pass',
  '',
  '    self.assertEqual(Child.check(), [])',
].join('\n');

export function usable({
  id,
  agent,
  sameAs = id,
  setAside = [],
}: {
  id: string;
  agent: string;
  sameAs?: string;
  setAside?: readonly string[];
}): PreparedCandidate {
  return {
    kind: 'usable',
    id,
    agent,
    label: id.toUpperCase(),
    treeId: `tree-${sameAs}`,
    sameAs,
    sourcePatch: { digest: DIGEST, bytes: 10, mediaType: 'text/x-diff' },
    changedFiles: ['shop/models.py', 'shop/base.py'],
    setAside,
    added: 9,
    removed: 3,
  };
}

export const CANDIDATES: readonly PreparedCandidate[] = [
  usable({ id: 'c1', agent: 'claude' }),
  usable({ id: 'c2', agent: 'codex' }),
  usable({ id: 'c3', agent: 'openhands', setAside: ['tests/test_render.py'] }),
  usable({ id: 'c4', agent: 'human' }),
  { kind: 'excluded', id: 'c5', agent: 'empty-handed', reason: 'empty', detail: 'The patch has no changes.' },
];

const cell = (status: OutcomeStatus, reruns: readonly OutcomeStatus[] = []): Cell => ({
  status,
  phase: 'call',
  message: status === 'failed' ? 'AssertionError: [] != [<Error>]' : '',
  reruns,
});

export function row({
  testId,
  statuses,
  base = 'passed',
  kind = 'differential',
  origin = 'original',
  step = 0,
  judged,
  reruns = [],
}: {
  testId: string;
  statuses: readonly OutcomeStatus[];
  base?: OutcomeStatus;
  kind?: RowKind;
  origin?: MatrixRow['origin'];
  step?: number;
  judged?: RowClass;
  reruns?: readonly OutcomeStatus[];
}): MatrixRow {
  return {
    testId,
    origin,
    step,
    kind,
    cells: Object.fromEntries(statuses.map((status, index) => [`c${index + 1}`, cell(status, reruns)])),
    base: cell(base),
    judgement: judged === undefined ? null : { class: judged, quote: ISSUE_SENTENCE, reason: 'the issue says so' },
  };
}

const uniformRows = Array.from({ length: 34 }, (_, index) =>
  row({
    testId: `tests/test_old.py::test_${index}`,
    statuses: ['passed', 'passed', 'passed', 'passed'],
    kind: 'uniform',
  }),
);

export const MATRIX: Matrix = {
  schema: 'testgrad.matrix/1',
  step: 2,
  candidates: ['c1', 'c2', 'c3', 'c4'],
  rows: [
    ...uniformRows,
    row({
      testId: 'tests/test_render.py::test_render',
      statuses: ['failed', 'passed', 'passed', 'passed'],
      origin: 'updated',
      step: 1,
      judged: 'regression',
    }),
    row({
      testId: 'tests/test_render.py::test_private_name',
      statuses: ['passed', 'passed', 'error', 'passed'],
      origin: 'created',
      step: 1,
      judged: 'incidental',
    }),
    row({
      testId: 'tests/test_render.py::test_clock',
      statuses: ['passed', 'passed', 'passed', 'passed'],
      kind: 'flaky',
      reruns: ['failed'],
    }),
    row({
      testId: NEW_TEST,
      statuses: ['failed', 'passed', 'failed', 'passed'],
      base: 'failed',
      origin: 'created',
      step: 2,
      judged: 'issue',
    }),
  ],
};

export const SUITE: Suite = {
  schema: 'testgrad.suite/1',
  step: 2,
  edits: [],
  files: {},
  changed: [
    {
      op: 'create',
      file: 'tests/invalid_models/test_models.py',
      name: 'TestParentLink::test_onetoone_parent',
      source: TEST_SOURCE,
      step: 2,
      reason: 'the issue',
    },
  ],
  testFiles: ['tests/test_old.py'],
};

export const step = (changes: Partial<StepRecord> & { readonly step: number }): StepRecord => ({
  operations: [],
  diagnosis: '',
  failedDirection: '',
  loss: 1,
  leaderLoss: 1,
  leaders: ['c1', 'c2', 'c3', 'c4'],
  differential: 0,
  evidence: 0,
  executedFiles: 3,
  reusedFiles: 0,
  momentumTokens: 0,
  rawMemoryTokens: 0,
  refusals: [],
  ...changes,
});

const DECIDING: DecidingTest = { testId: NEW_TEST, origin: 'created', step: 2, class: 'issue', quote: ISSUE_SENTENCE };

export function decision(changes: Partial<Decision> = {}): Decision {
  return {
    schema: 'testgrad.decision/1',
    runId: '7f3k0a1b2c3d',
    instance: 'shop: OneToOneField to a parent model',
    kind: 'differential',
    selected: 'codex',
    selectedId: 'c2',
    decidingTests: [DECIDING],
    reason:
      'After the fix a OneToOneField to a parent must be accepted as the parent link; only codex and human do that.',
    chosenBy: 'checker',
    candidates: CANDIDATES,
    leaders: ['c2', 'c4'],
    steps: [
      step({ step: 0 }),
      step({
        step: 1,
        operations: ['create tests/test_render.py::test_private_name', 'update tests/test_render.py::test_render'],
        rawMemoryTokens: 900,
        momentumTokens: 80,
      }),
      step({
        step: 2,
        operations: [`create ${NEW_TEST}`],
        loss: 0,
        differential: 3,
        evidence: 2,
        leaders: ['c2', 'c4'],
      }),
    ],
    ended: 'steps',
    usage: [
      {
        role: 'optimizer',
        step: 1,
        usage: {
          calls: 9,
          inputTokens: 190_000,
          cachedTokens: 0,
          outputTokens: 10_000,
          usd: 0.07,
          possibleDuplicates: 0,
          drifted: 0,
        },
      },
      {
        role: 'checker',
        step: 0,
        usage: {
          calls: 1,
          inputTokens: 11_000,
          cachedTokens: 0,
          outputTokens: 900,
          usd: 0.02,
          possibleDuplicates: 0,
          drifted: 0,
        },
      },
    ],
    warnings: [],
    artifacts: { instance: DIGEST, suite: DIGEST, matrix: DIGEST },
    ...changes,
  };
}
