import picocolors from 'picocolors';
import type { PreparedCandidate } from '../core/candidate.js';
import type { Matrix, Score } from '../core/matrix.js';
import { cut, hanging } from './columns.js';
import { viewMatrix } from './matrix-view.js';
import { candidateNotes } from './notes.js';
import { candidateColumns } from './report-model.js';
import { safeLine } from './safe-text.js';
import { matrixLines } from './terminal-matrix.js';

/** Rows shown at most; the JSON document has all. */
const MAX_ROWS = 40;

/** The matrix of the tests as they are, for a terminal: differential ones first, the rest as counts. */
export function renderMatrixRun({
  name,
  candidates,
  matrix,
  score,
  warnings,
  columns,
  colour,
}: {
  /** The instance's name. */
  name: string;
  candidates: readonly PreparedCandidate[];
  matrix: Matrix;
  score: Score;
  warnings: readonly string[];
  columns: number;
  colour: boolean;
}): string {
  const colours = picocolors.createColors(colour);
  const view = viewMatrix({
    matrix,
    columns: candidateColumns({ candidates, selectedId: null }),
    decidingTests: [],
    maxRows: MAX_ROWS,
  });
  const { rows, differential, flaky } = score.counts;
  const told = differential === 0 ? 'none is differential' : `${differential} differential`;
  const unstable = flaky > 0 ? `, ${flaky} flaky` : '';
  const notes = [...candidateNotes(candidates), ...warnings.map(safeLine)];
  const blocks = [
    [
      colours.bold(cut({ text: ` ${safeLine(name)}`, columns })),
      ` ${rows} ${rows === 1 ? 'test' : 'tests'}: ${told}${unstable}`,
    ],
    matrixLines({ view, columns, colours }),
    notes.flatMap((note) => hanging({ first: ' ', text: note, columns })),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}
