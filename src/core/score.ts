import { partsOf } from './ablation.js';
import { passCountsOf } from './fallback.js';
import { leadersOf } from './leaders.js';
import type { Matrix, MatrixRow, RowKind, Score } from './matrix.js';
import { rowKey } from './row.js';
import type { Settings } from './settings.js';
import { EVIDENCE_CLASSES } from './suite.js';

type Switches = Pick<Settings, 'extensions' | 'parts'>;

/**
 * What a matrix means for the loop.
 *
 * `loss` is the paper's L(y_t). With judging and leader separation on, `leaders` are those of {@link leadersOf} and
 * `leaderLoss` is 0 when at most one is left: evidence never tells those that remain apart, unless rows contradict each
 * other. With either off all candidates stay in the lead, as the paper leaves the choice to the checker. Where the pass
 * count is the objective, `leaders` are those that pass most tests.
 *
 * `matrix` holds one candidate of each class of identical trees, so leaders are representatives. `previousLeaders` are
 * those of the step before, all at the start. `unconfirmed` and `unjudged` are row keys; while judging is on, an
 * unjudged row is no evidence. The order of the candidates shows in the order of `leaders` and nowhere else.
 */
export function scoreMatrix({
  matrix,
  settings,
  previousLeaders,
}: {
  matrix: Matrix;
  settings: Switches;
  previousLeaders: readonly string[];
}): Score {
  const ofKind = (kind: RowKind): MatrixRow[] => matrix.rows.filter((row) => row.kind === kind);
  const differential = ofKind('differential');
  const evidence = evidenceRows({ matrix, settings });
  const { judgeRows, separateLeaders } = settings.extensions;
  const leaders =
    partsOf(settings).objective === 'pass-count'
      ? mostPassed(matrix)
      : judgeRows && separateLeaders
        ? leadersOf({ matrix, evidence, previousLeaders })
        : matrix.candidates;
  return {
    loss: differential.length > 0 ? 0 : 1,
    leaders,
    leaderLoss: leaders.length <= 1 ? 0 : 1,
    unconfirmed: ofKind('unconfirmed').map(rowKey),
    unjudged: differential.filter((row) => row.judgement === null).map(rowKey),
    counts: {
      rows: matrix.rows.length,
      uniform: ofKind('uniform').length,
      differential: differential.length,
      flaky: ofKind('flaky').length,
      weak: ofKind('weak').length,
      evidence: evidence.length,
    },
  };
}

/**
 * The differential rows that count for a choice: with judging on those of an evidence class, with judging off every
 * one, since the paper shows them all to its checker.
 */
export function evidenceRows({ matrix, settings }: { matrix: Matrix; settings: Switches }): readonly MatrixRow[] {
  const differential = matrix.rows.filter((row) => row.kind === 'differential');
  if (!settings.extensions.judgeRows) return differential;
  return differential.filter(isJudgedEvidence);
}

/** True for a row that separates candidates and was judged to be evidence. */
export const isJudgedEvidence = ({ kind, judgement }: Pick<MatrixRow, 'kind' | 'judgement'>): boolean =>
  kind === 'differential' && judgement !== null && EVIDENCE_CLASSES.includes(judgement.class);

/** Candidates that pass most tests, in the matrix's order. */
function mostPassed(matrix: Matrix): string[] {
  const counts = passCountsOf(matrix);
  const most = Math.max(...Object.values(counts));
  return matrix.candidates.filter((id) => counts[id] === most);
}

/** True when an update brought the decision nearer: fewer candidates in the lead, or the first differential test. */
export const progressed = ({ before, after }: { before: Score; after: Score }): boolean =>
  after.leaders.length < before.leaders.length || after.loss < before.loss;
