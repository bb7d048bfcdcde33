import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkerTurn } from '../../src/activities/checker-turn.js';
import type { CheckerTurnInput, CheckerTurnResult } from '../../src/activities/contract.js';
import { putJson } from '../../src/artifacts/values.js';
import type { Cell, Matrix, MatrixRow } from '../../src/core/matrix.js';
import type { OutcomeStatus } from '../../src/core/outcome.js';
import { presetSettings } from '../../src/core/settings.js';
import type { RowClass } from '../../src/core/suite.js';
import type { ChatRequest } from '../../src/llm/chat.js';
import {
  type ActivityBench,
  asActivity,
  openActivityBench,
  scored,
  type ToolCallSubject,
} from '../support/activity-bench.js';

let bench: ActivityBench;
let subject: ToolCallSubject;
let checks = 0;

beforeAll(async () => {
  bench = await openActivityBench();
  const call = await scored({ bench, context: await bench.context({ agents: ['right', 'example-only'] }) });
  subject = await call({ tool: 'read_file', arguments: {} });
});
afterAll(() => bench.remove());

const cell = (status: OutcomeStatus): Cell => ({ status, phase: 'call', message: '', reruns: [] });

/** A differential row that c1 passes and c2 fails, unless it is turned. */
function row({
  testId,
  judged = null,
  origin = 'original',
  turned = false,
}: {
  testId: string;
  judged?: RowClass | null;
  origin?: MatrixRow['origin'];
  turned?: boolean;
}): MatrixRow {
  const [first, second] = turned ? (['failed', 'passed'] as const) : (['passed', 'failed'] as const);
  return {
    testId,
    origin,
    step: origin === 'original' ? 0 : 1,
    kind: 'differential',
    cells: { c1: cell(first), c2: cell(second) },
    base: cell('passed'),
    judgement: judged === null ? null : { class: judged, quote: `the ${judged}`, reason: 'r' },
  };
}

const numbered = (count: number, idOf: (n: string) => string, more: Omit<Parameters<typeof row>[0], 'testId'>) =>
  Array.from({ length: count }, (_, n) => row({ testId: idOf(String(n).padStart(2, '0')), ...more }));

/** Checks a matrix of these rows; the model answers with each of `answers` in turn. */
async function check({
  rows,
  answers,
  preset = 'balanced',
}: {
  rows: readonly MatrixRow[];
  answers: readonly object[];
  preset?: 'balanced' | 'paper';
}): Promise<{ result: CheckerTurnResult; requests: readonly ChatRequest[] }> {
  const requests: ChatRequest[] = [];
  const services = {
    ...bench.services,
    model: async () => ({
      complete: async ({ request }: { request: ChatRequest }) => {
        const answer = answers[Math.min(requests.length, answers.length - 1)];
        requests.push(request);
        return {
          content: '',
          toolCalls: [{ id: `c${requests.length}`, name: 'submit_decision', argumentsText: JSON.stringify(answer) }],
          finishReason: 'tools' as const,
          usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 },
          drifted: false,
        };
      },
    }),
  };
  const matrix: Matrix = { schema: 'testgrad.matrix/1', step: 1, candidates: ['c1', 'c2'], rows };
  checks += 1;
  const input: CheckerTurnInput = {
    ...subject,
    // Else the answer of another check of these rows would be known.
    runId: `run${checks}`,
    settings: { ...subject.settings, extensions: presetSettings({ preset, model: 'm' }).extensions },
    matrix: await putJson({ store: bench.services.store, value: matrix }),
    situation: 'differential',
  };
  return { result: await asActivity(() => checkerTurn({ services, input })), requests };
}

/** The label of the one that passes the first test shown; labels are given by a seed. */
const passing = (request: ChatRequest | undefined): string =>
  /^Outcomes: (?:failed \w; )?passed (\w)/m.exec(request?.messages[1]?.content ?? '')?.[1] ?? '?';
const shownBy = (request: ChatRequest | undefined): string[] =>
  [...(request?.messages[1]?.content.matchAll(/^### (\S+::\S+) \(/gm) ?? [])].map((match) => match[1] ?? '');

test('what decides is shown, however many rows there are', async () => {
  const rows = [
    ...numbered(60, (n) => `tests/test_a.py::test_old_${n}`, { judged: 'incidental' }),
    row({ testId: 'tests/test_b.py::test_mine', origin: 'created' }),
    row({ testId: 'tests/test_c.py::test_rule', origin: 'created', judged: 'convention' }),
    row({ testId: 'tests/test_d.py::test_kept', judged: 'regression' }),
    ...numbered(50, (n) => `tests/test_z.py::test_issue[${n}]`, { origin: 'created', judged: 'issue' }),
  ];
  const { requests } = await check({ rows, answers: [{ reason: 'r', candidate: null }] });
  const shown = shownBy(requests[0]);
  expect(shown).toHaveLength(40);
  expect(shown.slice(0, 5)).toEqual([
    'tests/test_z.py::test_issue[00]',
    'tests/test_d.py::test_kept',
    'tests/test_c.py::test_rule',
    'tests/test_b.py::test_mine',
    'tests/test_a.py::test_old_00',
  ]);
});

test('a test that proves nothing for the choice comes back, and the one that does is taken', async () => {
  const rows = [
    row({ testId: 't.py::test_fair', judged: 'issue' }),
    row({ testId: 't.py::test_stale', judged: 'stale', turned: true }),
  ];
  const label = passing((await check({ rows, answers: [{ reason: 'r', candidate: null }] })).requests[0]);
  const answer = (testId: string) => ({ reason: 'r', candidate: label, decidingTests: [{ testId, quote: '' }] });
  const { result, requests } = await check({ rows, answers: [answer('t.py::test_stale'), answer('t.py::test_fair')] });
  expect(requests[1]?.messages.at(-1)?.content).toContain('t.py::test_stale was judged stale');
  expect(result).toMatchObject({
    ...{ selectedId: 'c1', usable: true },
    decidingTests: [{ testId: 't.py::test_fair', class: 'issue', quote: 'the issue' }],
  });
  // The paper's checker has nobody's judgement to go by.
  const paper = await check({
    rows: [row({ testId: 't.py::test_any' })],
    answers: [answer('t.py::test_any')],
    preset: 'paper',
  });
  expect(paper.result).toMatchObject({ selectedId: 'c1', decidingTests: [{ class: 'unjudged' }] });
});

test('for the rule there is the evidence with those that pass it, bounded', async () => {
  const rows = [
    row({ testId: 't.py::test_stale', judged: 'stale' }),
    ...numbered(30, (n) => `t.py::test_${n}`, { judged: 'regression' }),
    row({ testId: 't.py::test_turned', judged: 'issue', turned: true }),
  ];
  const { result } = await check({ rows, answers: [{ nonsense: true }] });
  expect(result).toMatchObject({ usable: false, selectedId: null });
  expect(result.evidence).toHaveLength(20);
  expect(result.evidence?.slice(0, 2)).toMatchObject([
    { test: { testId: 't.py::test_turned', class: 'issue' }, passedBy: ['c2'] },
    { test: { testId: 't.py::test_00', class: 'regression' }, passedBy: ['c1'] },
  ]);
});
