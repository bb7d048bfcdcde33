import { getText } from '../artifacts/values.js';
import { boundedTests } from '../core/deciding-tests.js';
import type { DecidingTest } from '../core/decision.js';
import { passCountsOf } from '../core/fallback.js';
import { idOfLabel, labelOf } from '../core/labels.js';
import type { MatrixRow } from '../core/matrix.js';
import { groupsOfOneTest } from '../core/row-groups.js';
import { evidenceRows, isJudgedEvidence } from '../core/score.js';
import { EVIDENCE_CLASSES } from '../core/suite.js';
import { type CheckedRow, type CheckerSubject, checkerMessages } from '../methods/testgrad/checker.js';
import { checkerTool, parseDecision } from '../methods/testgrad/checker-answer.js';
import { renderMatrix } from '../methods/testgrad/matrix-view.js';
import { excerptsOf, outcomeLine } from '../methods/testgrad/row-facts.js';
import { askOnce } from './ask-once.js';
import type { CheckerTurnInput, CheckerTurnResult } from './contract.js';
import { putDocument } from './documents.js';
import type { Services } from './services.js';
import { testSource } from './suite-view.js';
import { testDefinitions } from './test-definitions.js';
import { type LoadedSubject, loadSubject } from './turn-subject.js';

// A test that several parameters or classes share counts as one.
const ROWS_AT_MOST = 40;
const EVIDENCE_AT_MOST = 20;
const EXCERPT_CHARS = 800;
const REASON_CHARS = 4000;

/**
 * The checker: one context of its own that sees the issue, the candidates under neutral labels in the seeded order, the
 * differential tests and their outcomes, and nothing of the optimizer's conversation. An unusable answer is corrected
 * once; then the caller's rule chooses.
 */
export async function checkerTurn({
  services,
  input,
}: {
  services: Services;
  input: CheckerTurnInput;
}): Promise<CheckerTurnResult> {
  const loaded = await loadSubject({ services, input });
  const subject = await checkerSubject({ services, input, loaded });
  const { parsed, usage, conversation } = await askOnce({
    services,
    run: input,
    role: 'checker',
    step: 0,
    tool: checkerTool(),
    messages: checkerMessages(subject),
    parse: (argumentsText) => parseDecision({ argumentsText, subject }),
  });
  const known = {
    evidence: await evidenceOf({ services, input, loaded }),
    passCounts: passCountsOf(loaded.matrix),
    conversation: await putDocument({ store: services.store, value: conversation }),
    usage,
  };
  if (parsed === null || parsed.kind !== 'decision') {
    return { selectedId: null, decidingTests: [], reason: '', usable: false, ...known };
  }
  return {
    selectedId: parsed.label === null ? null : idOfLabel({ labels: loaded.labels, label: parsed.label }),
    decidingTests: boundedTests(parsed.decidingTests.map((each) => decidingTest({ loaded, ...each }))),
    reason: withAgents({ loaded, text: parsed.reason }).slice(0, REASON_CHARS),
    usable: true,
    ...known,
  };
}

async function checkerSubject({
  services,
  input,
  loaded,
}: {
  services: Services;
  input: CheckerTurnInput;
  loaded: LoadedSubject;
}): Promise<CheckerSubject> {
  const { instance, matrix, candidates, labels } = loaded;
  const differential = matrix.rows.filter((row) => row.kind === 'differential');
  const groups = (await byWorth({ services, loaded, rows: differential })).slice(0, ROWS_AT_MOST);
  const shown = [...candidates].sort((a, b) => a.label.length - b.label.length || (a.label < b.label ? -1 : 1));
  return {
    situation: input.situation,
    issue: instance.issue,
    candidates: await Promise.all(
      shown.map(async ({ label, sourcePatch }) => ({
        label,
        patch: await getText({ store: services.store, ref: sourcePatch }),
      })),
    ),
    rows: await Promise.all(groups.map((group) => checkedRow({ services, loaded, group }))),
    judged: input.settings.extensions.judgeRows && differential.some(({ judgement }) => judgement !== null),
    allowed: input.leaders.map((id) => labelOf({ labels, id })),
    matrixView: differential.length === 0 ? renderMatrix({ matrix, labels }) : '',
  };
}

/** Groups of rows of one test: evidence first, by its class, then what updates wrote, then the project's own tests. */
async function byWorth({
  services,
  loaded,
  rows,
}: {
  services: Services;
  loaded: LoadedSubject;
  rows: readonly MatrixRow[];
}): Promise<MatrixRow[][]> {
  const { suite, base } = loaded;
  const worth = ([row]: readonly MatrixRow[]): number => {
    if (row === undefined) return Number.POSITIVE_INFINITY;
    if (row.judgement !== null && isJudgedEvidence(row)) return EVIDENCE_CLASSES.indexOf(row.judgement.class);
    return EVIDENCE_CLASSES.length + (row.origin === 'original' ? 1 : 0);
  };
  const definitionOf = await testDefinitions({ services, suite, base, rows });
  return groupsOfOneTest({ rows, suite, definitionOf }).sort((a, b) => worth(a) - worth(b));
}

/** The tests that speak for a choice, each with those that pass it: what proves a choice by rule. */
async function evidenceOf({
  services,
  input,
  loaded,
}: {
  services: Services;
  input: CheckerTurnInput;
  loaded: LoadedSubject;
}): Promise<NonNullable<CheckerTurnResult['evidence']>> {
  const evidence = evidenceRows({ matrix: loaded.matrix, settings: input.settings });
  const groups = (await byWorth({ services, loaded, rows: evidence })).slice(0, EVIDENCE_AT_MOST);
  return groups.flatMap(([row]) => {
    if (row === undefined) return [];
    const [test] = boundedTests([decidingTest({ loaded, testId: row.testId, quote: '' })]);
    return test === undefined ? [] : [{ test, passedBy: passing(row) }];
  });
}

const passing = (row: MatrixRow): string[] =>
  Object.entries(row.cells).flatMap(([id, cell]) => (cell.status === 'passed' ? [id] : []));

async function checkedRow({
  services,
  loaded,
  group,
}: {
  services: Services;
  loaded: LoadedSubject;
  group: readonly MatrixRow[];
}): Promise<CheckedRow> {
  const { suite, base, labels } = loaded;
  const [row, ...alike] = group as [MatrixRow, ...MatrixRow[]];
  return {
    testId: row.testId,
    alike: alike.map(({ testId }) => testId),
    origin: row.origin,
    source: await testSource({ services, suite, base, testId: row.testId }),
    passedBy: passing(row).map((id) => labelOf({ labels, id })),
    outcomes: outcomeLine({ row, labels }),
    excerpts: excerptsOf({ row, labels, maxChars: EXCERPT_CHARS }),
    judgement: row.judgement,
  };
}

/** The reason with agents in place of the labels that the checker knows them by. */
function withAgents({ loaded, text }: { loaded: LoadedSubject; text: string }): string {
  return text.replace(/\[([A-Z]{1,2})\]/g, (bracketed: string, label: string) => {
    const id = idOfLabel({ labels: loaded.labels, label });
    return loaded.candidates.find((each) => each.id === id)?.agent ?? bracketed;
  });
}

function decidingTest({
  loaded,
  testId,
  quote,
}: {
  loaded: LoadedSubject;
  testId: string;
  quote: string;
}): DecidingTest {
  const row = loaded.matrix.rows.find((each) => each.testId === testId);
  return {
    testId,
    origin: row?.origin ?? 'original',
    step: row?.step ?? 0,
    class: row?.judgement?.class ?? 'unjudged',
    quote: quote === '' ? (row?.judgement?.quote ?? '') : quote,
  };
}
