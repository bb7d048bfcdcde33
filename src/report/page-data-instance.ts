import type { PreparedCandidate } from '../core/candidate.js';
import type { Decision, StepRecord } from '../core/decision.js';
import type { Momentum } from '../core/failure-memory.js';
import type { Matrix } from '../core/matrix.js';
import type { Suite } from '../core/suite.js';
import { type LlmRole, totalUsage, type UsageLedger, usageByRole } from '../core/usage.js';
import { candidateNotes, isUsable } from './notes.js';
import type { InstancePage, PageCandidate, PageOutcome, PageTest } from './page-data.js';
import { fileDiffs } from './page-data-diffs.js';
import { pageLog } from './page-data-logs.js';
import { outcomeText, pageMatrix } from './page-data-matrix.js';
import { pageMomentum, pageSteps } from './page-data-steps.js';
import { buildReport, sizeOf } from './report-model.js';
import { safeLine, safeText } from './safe-text.js';
import { endedText } from './verdict.js';

/** What is at hand of a run, finished or in work. Everything but the names may be missing. */
export interface InstanceMaterial {
  readonly id: string;
  readonly runId: string;
  readonly title: string;
  /** Null while nothing is decided; then the next four say what is known. */
  readonly decision: Decision | null;
  readonly candidates: readonly PreparedCandidate[];
  readonly leaders: readonly string[];
  readonly steps: readonly StepRecord[];
  readonly usage: UsageLedger;
  readonly issue: string | null;
  readonly matrix: Matrix | null;
  /** The last one. */
  readonly suite: Suite | null;
  /** Candidates' changes as they were compared, by id. */
  readonly patches: ReadonlyMap<string, string>;
  /** Mined after failed updates, by step, in ascending order. */
  readonly momenta: ReadonlyMap<number, Momentum>;
  /** Newest momentum of a run whose steps are not known. */
  readonly momentum: Momentum | null;
  /** What updates changed, by step. */
  readonly suiteDiffs: ReadonlyMap<number, string>;
  readonly conversations: readonly { readonly role: LlmRole; readonly step: number; readonly conversation: unknown }[];
  readonly testPatch: string | null;
  readonly winnerPatch: string | null;
}

/** Material of which nothing but the names is known. */
export const noMaterial = ({
  id,
  runId,
  title,
}: Pick<InstanceMaterial, 'id' | 'runId' | 'title'>): InstanceMaterial => ({
  id,
  runId,
  title,
  decision: null,
  candidates: [],
  leaders: [],
  steps: [],
  usage: [],
  issue: null,
  matrix: null,
  suite: null,
  patches: new Map(),
  momenta: new Map(),
  momentum: null,
  suiteDiffs: new Map(),
  conversations: [],
  testPatch: null,
  winnerPatch: null,
});

/** The page of one instance. */
export function instancePage(given: InstanceMaterial): InstancePage {
  const { decision } = given;
  const candidates = decision?.candidates ?? given.candidates;
  const leaders = decision?.leaders ?? given.leaders;
  const steps = decision?.steps ?? given.steps;
  const usage = decision?.usage ?? given.usage;
  const nameOf = (id: string): string => safeLine(candidates.find((each) => each.id === id)?.agent ?? id);
  const selectedId = decision?.selectedId ?? null;
  const shown = pageCandidates({ candidates, leaders, selectedId });
  const columns = { candidates, leaders, selectedId };
  const decidingTests = (decision?.decidingTests ?? []).map(({ testId }) => testId);
  const model =
    decision === null ? null : buildReport({ decision, matrix: given.matrix, suite: given.suite, maxRows: 0 });
  return {
    id: safeLine(given.id),
    runId: given.runId,
    title: safeLine(given.title),
    issue: given.issue === null ? null : safeText(given.issue),
    outcome: outcomeOf(given),
    candidates: shown,
    matrix: given.matrix === null ? null : pageMatrix({ matrix: given.matrix, ...columns, decidingTests }),
    diffs: fileDiffs(
      shown.flatMap(({ id }) => {
        const patch = given.patches.get(id);
        const candidate = candidates.find((each) => each.id === id);
        return patch === undefined || candidate?.kind !== 'usable' ? [] : [{ id, treeId: candidate.treeId, patch }];
      }),
    ),
    steps: pageSteps({ ...given, steps, usage, nameOf }),
    momentum: given.momentum === null ? null : pageMomentum(given.momentum),
    notes: model?.notes ?? candidateNotes(candidates),
    usage: { total: totalUsage(usage), byRole: usageByRole(usage) },
    logs: given.conversations.flatMap((each) => pageLog(each) ?? []),
    testPatch: given.testPatch === null ? null : safeText(given.testPatch),
    winnerPatch: given.winnerPatch === null ? null : safeText(given.winnerPatch),
  };
}

function pageCandidates({
  candidates,
  leaders,
  selectedId,
}: {
  candidates: readonly PreparedCandidate[];
  leaders: readonly string[];
  selectedId: string | null;
}): PageCandidate[] {
  const usable = candidates.filter(isUsable);
  const shown = candidates.map((candidate): PageCandidate => {
    const { id, kind } = candidate;
    const common = { id, agent: safeLine(candidate.agent), state: kind, selected: id === selectedId };
    if (kind === 'excluded') {
      const note = `takes no part (${candidate.reason}): ${safeLine(candidate.detail)}`;
      return { ...common, label: null, leader: false, note, sameAs: null };
    }
    const twin = candidate.sameAs === id ? undefined : usable.find((each) => each.id === candidate.sameAs);
    return {
      ...common,
      label: candidate.label === '' ? null : candidate.label,
      leader: leaders.includes(candidate.sameAs),
      // Of a run in work no more than the name is told.
      note: candidate.changedFiles.length === 0 ? '' : sizeOf(candidate),
      sameAs: twin === undefined ? null : safeLine(twin.agent),
    };
  });
  const rank = ({ selected, leader, state }: PageCandidate): number =>
    selected ? 0 : leader ? 1 : state === 'usable' ? 2 : 3;
  return shown.sort((left, right) => rank(left) - rank(right));
}

/** The decision of a page, with the deciding tests in words. */
function outcomeOf({ decision, matrix, suite }: InstanceMaterial): PageOutcome | null {
  if (decision === null) return null;
  const model = buildReport({ decision, matrix, suite, maxRows: 0 });
  const { candidates, leaders, selectedId, decidingTests } = decision;
  const shown =
    matrix === null
      ? null
      : pageMatrix({
          matrix,
          candidates,
          leaders,
          selectedId,
          decidingTests: decidingTests.map(({ testId }) => testId),
        });
  const tests = model.tests.map((test): PageTest => {
    const row = shown?.rows.find((each) => each.testId === test.testId && each.spread === test.spread);
    const fallback = shown?.rows.find((each) => each.testId === test.testId || each.ids.includes(test.testId));
    const found = row ?? fallback;
    return {
      testId: safeLine(test.testId),
      spread: test.spread,
      origin: test.origin,
      step: test.step,
      class: test.class,
      quote: test.quote,
      source: test.source,
      onBase: test.onBase,
      reruns: test.reruns,
      outcome: shown === null || found === undefined ? '' : outcomeText({ cells: found.cells, columns: shown.columns }),
    };
  });
  return {
    kind: decision.kind,
    selectedId,
    selected: model.selected?.agent ?? null,
    verdict: model.verdict,
    sentence: sentenceOf(tests),
    reason: model.reason,
    chosenBy: decision.chosenBy,
    ended: endedText(decision),
    tests,
  };
}

/** Names the first deciding test, who passes and fails it, and what it expresses. */
function sentenceOf([test]: readonly PageTest[]): string {
  if (test === undefined || test.outcome === '') return '';
  const name = [test.testId.split('::').slice(1).join('::') || test.testId, test.spread].filter(Boolean).join(' ');
  const origin = test.origin === 'original' ? "the repository's own" : `${test.origin} at step ${test.step}`;
  return `${name} (${origin}) ${test.outcome}.`;
}
