import picocolors from 'picocolors';
import { fill, hanging, widthOf } from './columns.js';
import { durationText } from './live-frame.js';
import { MARK_TEXT } from './matrix-view.js';
import type { DiffLine, InstancePage, PageCandidate, PageColumn, PageRow, PageStep } from './page-data.js';
import { patchLines } from './page-data-diffs.js';
import { safeText } from './safe-text.js';
import { countText, priceText } from './usage-text.js';

/** How wide, and whether with colours; nothing is told by colour alone. */
export interface DetailForm {
  readonly columns: number;
  readonly colour: boolean;
}

/** Blocks of lines with one blank line between them. */
const document = (blocks: readonly (readonly string[])[]): string =>
  `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;

function diffLines({ lines, colour }: { lines: readonly DiffLine[]; colour: boolean }): string[] {
  const colours = picocolors.createColors(colour);
  return lines.map(({ sign, text }) => {
    const line = `${sign}${safeText(text)}`;
    return sign === '+' ? colours.green(line) : sign === '-' ? colours.red(line) : line;
  });
}

/** The loss, and how many are in the lead all the same: a loss of 0 alone reads as if the choice were made. */
function lossText({ loss, leaders }: PageStep): string {
  if (loss === 1) return 'L = 1, nothing tells candidates apart';
  const told = 'L = 0, some candidates are told apart';
  return leaders.length > 1 ? `${told}; ${leaders.length} are still in the lead` : told;
}

/** One step y_K: what the update did, what came of it, its momentum, its diff. */
export function renderStep({ step, form }: { step: PageStep; form: DetailForm }): string {
  const { columns } = form;
  const text = (name: string, value: string): string[] =>
    value === '' ? [] : hanging({ first: ` ${name}`.padEnd(13), text: value, columns });
  const spent = [
    `${step.calls} calls, ${countText(step.tokens)} tokens, ${priceText(step.usd)}`,
    `${step.executedFiles} files run, ${step.reusedFiles} known`,
    ...(step.durationMs === null ? [] : [durationText(step.durationMs)]),
  ];
  const after = step.momentumAfter;
  return document([
    [
      ...hanging({
        first: ` y${step.step}  `,
        text: `${lossText(step)}${step.failed ? '; the update brought nothing' : ''}`,
        columns,
      }),
      ...text('in the lead', step.leaders.join(', ')),
      ...text('rows', `${step.differential} differential, ${step.evidence} evidence`),
      ...text('spent', spent.join('; ')),
    ],
    step.operations.length === 0
      ? [step.step === 0 ? ' The tests as they are.' : ' No update came of it.']
      : step.operations.flatMap((operation) => hanging({ first: ' - ', text: operation, columns })),
    [...text('diagnosis', step.diagnosis), ...text('direction', step.failedDirection)],
    step.refusals.flatMap((refusal) => text('refused', refusal)),
    after === null ? [] : [` momentum    ${after.tokens} tokens, from ${after.rawTokens} of failed updates`],
    step.diff === null ? [] : diffLines({ lines: step.diff, colour: form.colour }),
  ]);
}

/** A test for {@link renderTest}; `uniform` for one whose origin is not told and that tells nothing apart. */
export interface DetailRow extends Omit<PageRow, 'role'> {
  readonly role: PageRow['role'] | 'uniform';
}

/** One test: who passes and fails it and how, what it expresses, and its source where an update wrote it. */
export function renderTest({
  row,
  matrixColumns,
  source,
  form,
}: {
  row: DetailRow;
  matrixColumns: readonly PageColumn[];
  source: string | null;
  form: DetailForm;
}): string {
  const { columns } = form;
  const kind = row.role === 'uniform' ? 'tells nothing apart' : (row.class ?? row.role);
  const origin = row.origin === 'original' ? "the repository's own" : `${row.origin} at step ${row.step}`;
  const width = Math.max(...matrixColumns.map(({ title }) => widthOf(title)));
  return document([
    [
      ` ${row.testId}${row.spread === '' ? '' : ` ${row.spread}`}`,
      `   ${row.role === 'uniform' ? kind : `${origin}; ${kind}`}`,
    ],
    [
      ...(row.quote === '' ? [] : hanging({ first: ' the issue: ', text: `"${row.quote}"`, columns })),
      ...(row.reason === '' ? [] : hanging({ first: ' judged:    ', text: row.reason, columns })),
    ],
    matrixColumns.flatMap(({ title, role }, at) => {
      const cell = row.cells[at];
      if (cell === undefined) return [];
      const mark = role === 'selected' ? '>>' : '  ';
      const reruns = cell.reruns === 0 ? '' : `, the same in ${cell.reruns} ${cell.reruns === 1 ? 'rerun' : 'reruns'}`;
      const message = safeText(cell.message).trimEnd();
      return [
        ` ${mark} ${fill({ text: title, columns: width })}  ${MARK_TEXT[cell.mark]}${reruns}`,
        ...(message === ''
          ? []
          : message
              .split('\n')
              .slice(0, 12)
              .map((line) => `        ${line}`)),
      ];
    }),
    source === null ? [] : safeText(source).trimEnd().split('\n'),
  ]);
}

/** One candidate: how it stands, the rows that tell it from others, and its change. */
export function renderCandidate({
  candidate,
  page,
  patch,
  form,
}: {
  candidate: PageCandidate;
  page: InstancePage;
  patch: string | null;
  form: DetailForm;
}): string {
  const { columns, colour } = form;
  const standing = [
    ...(candidate.selected ? ['selected'] : []),
    ...(candidate.leader ? ['in the lead'] : []),
    ...(candidate.label === null ? [] : [`models knew it as ${candidate.label}`]),
    ...(candidate.sameAs === null ? [] : [`the same change as ${candidate.sameAs}`]),
  ];
  const at = page.matrix?.columns.findIndex(({ id }) => id === candidate.id) ?? -1;
  const rows = page.matrix === null || at < 0 ? [] : page.matrix.rows;
  return document([
    [
      ` ${candidate.selected ? '>> ' : ''}${candidate.agent}  (${candidate.id})`,
      ...hanging({
        first: '   ',
        text: [candidate.note, ...standing].filter((each) => each !== '').join('; '),
        columns,
      }),
    ],
    rows.map((row) => ` ${fill({ text: MARK_TEXT[row.cells[at]?.mark ?? 'missing'], columns: 7 })}  ${row.testId}`),
    patch === null ? [] : diffLines({ lines: patchLines(patch), colour }),
  ]);
}
