import type { ArtifactStore } from '../artifacts/store.js';
import { getJson } from '../artifacts/values.js';
import type { Matrix } from '../core/matrix.js';
import { renderMatrixRun } from '../report/terminal-matrix-run.js';
import type { MatrixRun } from '../workflows/run-matrix.js';
import type { Invocation } from './invocation.js';
import type { RunRecord } from './run-index.js';
import { shownCandidates, shownMatrix } from './withheld.js';

/** Prints the matrix of a `matrix` run, as JSON with --json. Returns the exit code. */
export async function printMatrixRun({
  invocation,
  store,
  record,
  run,
  uiUrl,
}: {
  invocation: Invocation;
  store: ArtifactStore;
  record: RunRecord;
  run: MatrixRun;
  uiUrl: string | null;
}): Promise<number> {
  const { terminal, values } = invocation;
  const matrix = await getJson<Matrix>({ store, ref: run.matrix });
  const usable = run.candidates.some((candidate) => candidate.kind === 'usable');
  if (values.on('json')) {
    const content = values.on('content');
    terminal.json({
      schema: 'testgrad.matrix-run/1',
      run: { id: record.runId, workflow: record.workflowId, ui: uiUrl },
      outcome: run.score.loss === 0 ? 'separated' : 'not-separated',
      counts: run.score.counts,
      candidates: shownCandidates({ candidates: run.candidates, content }),
      matrix: shownMatrix({ matrix, content }),
      warnings: content ? run.warnings : null,
    });
  } else {
    const { columns, colour } = terminal;
    const { candidates, score, warnings } = run;
    terminal.out(renderMatrixRun({ name: record.name, candidates, matrix, score, warnings, columns, colour }));
  }
  return usable ? 0 : 2;
}
