import type { GradingRow } from './datasets/grading-row.js';
import type { SelectionRow } from './datasets/selection-row.js';
import type { EvalType, ExpectedTests } from './grading/expected-tests.js';

/**
 * What is needed to grade a patch for one instance of a benchmark. It holds gold: nothing that takes part in a
 * selection may see it.
 */
export interface EvaluationInstance {
  readonly instanceId: string;
  /** `owner/name`. */
  readonly repo: string;
  readonly baseCommit: string;
  /** Version of the project; rows without a script of their own need it. */
  readonly version: string | null;
  /** The developers' tests as a diff. */
  readonly testPatch: string;
  readonly expected: ExpectedTests;
  /** The row's own script (v5), or null: then it is made from the project's set-up. */
  readonly evalScript: string | null;
  /** Name of the row's log parser (v5), or null: then the repository says which. */
  readonly logParser: string | null;
  readonly evalType: EvalType;
  /** Image as the row names it; null where it follows from the id. */
  readonly image: string | null;
}

/** Joins the two halves of a dataset's row that are kept apart everywhere else. */
export function evaluationInstance({
  selection,
  grading,
}: {
  selection: SelectionRow;
  grading: GradingRow;
}): EvaluationInstance {
  return {
    instanceId: selection.instanceId,
    repo: selection.repo,
    baseCommit: selection.baseCommit,
    version: selection.version,
    testPatch: grading.testPatch,
    expected: { failToPass: grading.failToPass, passToPass: grading.passToPass },
    evalScript: grading.evalScript,
    logParser: selection.logParser,
    evalType: selection.evalType ?? 'pass_and_fail',
    image: selection.image,
  };
}
