import type { BenchmarkProgress } from '../core/benchmark-progress.js';
import type { DecisionKind } from '../core/decision.js';
import type { Progress } from '../core/progress.js';
import type { RowClass, TestOrigin } from '../core/suite.js';
import type { LlmRole, Usage } from '../core/usage.js';
import type { CellMark, RowRole } from './matrix-view.js';
import type { BenchmarkPage } from './page-data-rows.js';

/**
 * What the page of a report shows: types alone, so that the page's own sources and the programs that make the data share
 * them. Text from models, tests and issues in it holds no control or invisible characters; the page shows all text as text.
 */
export interface PageData {
  readonly schema: 'testgrad.page/1';
  /** ISO 8601, when the data were put together. */
  readonly madeAt: string;
  readonly run: PageRun;
  /** Where a run in work stands; null for one that is not, and while no worker answers. */
  readonly progress: Progress | null;
  /** Where a benchmark in work stands; null for anything else, and while no worker answers. */
  readonly benchmarkProgress: BenchmarkProgress | null;
  /** What a reader must know about the data, such as that no worker answers; empty for nothing. */
  readonly trouble: string;
  /** Null for the selection of one patch. */
  readonly benchmark: BenchmarkPage | null;
  /** Instances with everything that is shown of them. A viewer of a benchmark loads them one by one. */
  readonly instances: readonly InstancePage[];
}

/** Where a run stands, as lists of runs say it. */
export type PageRunState = 'finished' | 'running' | 'failed' | 'cancelled' | 'unknown';

/** The run that a page is about. */
export interface PageRun {
  readonly id: string;
  readonly kind: 'select' | 'matrix' | 'bench';
  readonly name: string;
  readonly state: PageRunState;
  /** ISO 8601; null where it is not known. */
  readonly startedAt: string | null;
  /** What the run was made with: model, preset, command … */
  readonly facts: readonly PageFact[];
}

/** A fact with its name. */
export interface PageFact {
  readonly name: string;
  readonly value: string;
}

/** A run in the viewer's list. */
export interface PageListing {
  readonly id: string;
  readonly kind: PageRun['kind'];
  readonly name: string;
  readonly state: PageRunState;
  readonly startedAt: string | null;
  /** How it was decided, or an empty text. */
  readonly outcome: string;
  readonly selected: string | null;
}

/** Everything that is shown of one instance. */
export interface InstancePage {
  /** Names it in links: the instance of a benchmark, or the run. */
  readonly id: string;
  readonly runId: string;
  readonly title: string;
  readonly issue: string | null;
  /** Null while nothing is decided. */
  readonly outcome: PageOutcome | null;
  readonly candidates: readonly PageCandidate[];
  readonly matrix: PageMatrix | null;
  readonly diffs: readonly FileDiffs[];
  readonly steps: readonly PageStep[];
  /** Newest momentum of a run in work, where its steps are not known yet. */
  readonly momentum: PageMomentum | null;
  readonly notes: readonly string[];
  readonly usage: {
    readonly total: Usage;
    readonly byRole: readonly { readonly role: LlmRole; readonly usage: Usage }[];
  };
  readonly logs: readonly PageLog[];
  /** The deciding tests as a patch, and the winner's patch as given; null where there is none. */
  readonly testPatch: string | null;
  readonly winnerPatch: string | null;
}

/** What was decided. */
export interface PageOutcome {
  readonly kind: DecisionKind;
  readonly selectedId: string | null;
  readonly selected: string | null;
  /** How it was decided, in one line. */
  readonly verdict: string;
  /** The sentence that names the deciding test, who passes and who fails it; empty without one. */
  readonly sentence: string;
  readonly reason: string;
  readonly chosenBy: 'checker' | 'rule';
  /** Why the loop ended, as a clause. */
  readonly ended: string;
  readonly tests: readonly PageTest[];
}

/** A deciding test. */
export interface PageTest {
  readonly testId: string;
  /** How many ids it stands for, in words; empty for one. */
  readonly spread: string;
  readonly origin: TestOrigin;
  readonly step: number;
  readonly class: RowClass | 'unjudged';
  readonly quote: string;
  /** Definition as it ran; null when no update touched it. */
  readonly source: string | null;
  readonly onBase: 'passes' | 'fails' | 'unknown';
  readonly reruns: number;
  /** Who passes and who fails it, for a person. */
  readonly outcome: string;
}

/** A candidate; the selected one comes first, then those in the lead. */
export interface PageCandidate {
  readonly id: string;
  readonly agent: string;
  /** Neutral name that models saw; null for an excluded one. */
  readonly label: string | null;
  readonly state: 'usable' | 'excluded';
  readonly selected: boolean;
  readonly leader: boolean;
  /** `+12 -7, 1 file`, or why it takes no part. */
  readonly note: string;
  /** Agent whose change is the same; null for none. */
  readonly sameAs: string | null;
}

/** Tests × candidates. */
export interface PageMatrix {
  readonly step: number;
  readonly columns: readonly PageColumn[];
  /** Rows that tell something, the deciding ones first. */
  readonly rows: readonly PageRow[];
  /** All other tests, by file and equal outcomes. */
  readonly uniform: readonly UniformRows[];
  readonly tests: number;
}

/** A column of the matrix. */
export interface PageColumn {
  readonly id: string;
  readonly title: string;
  readonly role: 'selected' | 'leader' | 'other' | 'base';
}

/** A test, or one test under several ids with equal outcomes. */
export interface PageRow {
  readonly testId: string;
  readonly spread: string;
  /** All ids when it stands for several; empty for one. */
  readonly ids: readonly string[];
  readonly role: RowRole;
  readonly origin: TestOrigin;
  readonly step: number;
  readonly class: RowClass | null;
  readonly quote: string;
  /** Why it was judged so. */
  readonly reason: string;
  /** One a column. */
  readonly cells: readonly PageCell[];
}

/** An outcome with what a reader may want to know about it. */
export interface PageCell {
  readonly mark: CellMark;
  /** Confirming reruns with the same outcome. */
  readonly reruns: number;
  /** First lines of the failure; empty for none. */
  readonly message: string;
}

/** Tests of one file that tell nothing apart, with the same marks. */
export interface UniformRows {
  readonly file: string;
  /** One a column. */
  readonly marks: readonly CellMark[];
  /** Ids without the file. */
  readonly tests: readonly string[];
}

/** One changed file over all candidates that change it. */
export interface FileDiffs {
  readonly path: string;
  readonly candidates: readonly CandidateDiff[];
}

/** What one candidate does to one file. */
export interface CandidateDiff {
  readonly id: string;
  readonly hunks: readonly DiffHunk[];
}

/** A hunk of a unified diff. */
export interface DiffHunk {
  /** `@@ -1,4 +1,6 @@ def f():` */
  readonly head: string;
  readonly lines: readonly DiffLine[];
  /** True when no line of it is this candidate's alone. */
  readonly common: boolean;
}

/** A line of a diff. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
  /** True when no other candidate with another tree adds (or removes) this line in this file. */
  readonly only: boolean;
}

/** One suite y_t and the update that led to it. */
export interface PageStep {
  readonly step: number;
  readonly operations: readonly string[];
  readonly diagnosis: string;
  readonly failedDirection: string;
  readonly loss: 0 | 1;
  readonly leaderLoss: 0 | 1;
  /** Agents in the lead after it. */
  readonly leaders: readonly string[];
  readonly differential: number;
  readonly evidence: number;
  readonly executedFiles: number;
  readonly reusedFiles: number;
  readonly refusals: readonly string[];
  /** True when the update brought nothing and went into the failure memory. */
  readonly failed: boolean;
  readonly tokens: number;
  readonly calls: number;
  /** Null where the price is not known. */
  readonly usd: number | null;
  /** Wall time; null where it was not recorded. */
  readonly durationMs: number | null;
  /** What the update changed, as a unified diff; null where it is not at hand. */
  readonly diff: readonly DiffLine[] | null;
  readonly momentumBefore: PageMomentum | null;
  /** Null when the step mined none. */
  readonly momentumAfter: PageMomentum | null;
}

/** Momentum as the optimizer is told it. */
export interface PageMomentum {
  readonly text: string;
  readonly tokens: number;
  readonly rawTokens: number;
}

/** A conversation with a model. */
export interface PageLog {
  readonly role: LlmRole;
  readonly step: number;
  readonly messages: readonly { readonly who: string; readonly text: string }[];
}
