import picocolors from 'picocolors';
import { hanging, widthOf, wrap } from './columns.js';
import type { ReportModel, ShownTest } from './report-model.js';
import { shortRunId } from './short-run-id.js';
import { matrixLines } from './terminal-matrix.js';
import { usageText } from './usage-text.js';
import { endedText } from './verdict.js';

type Colours = ReturnType<typeof picocolors.createColors>;

/** Where the files of a run are, for the last lines of its report. */
export interface ResultPlaces {
  readonly runDir: string | null;
  /** Address of the run in Temporal's UI. */
  readonly uiUrl: string | null;
  /** Next commands with what they are for; those of a run by itself when absent. */
  readonly next?: readonly (readonly [string, string])[];
}

function headline({ model, columns, colours }: { model: ReportModel; columns: number; colours: Colours }): string[] {
  if (model.selected === null) {
    return wrap({ text: sentence(model.verdict), columns: columns - 1 }).map((line) => ` ${colours.bold(line)}`);
  }
  const name = `>> ${model.selected.agent}`;
  const size = `(${model.selected.size})`;
  const width = 1 + widthOf(name) + 4 + widthOf(size) + 4 + widthOf(model.verdict);
  const winner = ` ${colours.bold(colours.green(name))}    ${size}`;
  return width <= columns
    ? [`${winner}    ${model.verdict}`]
    : [winner, ...wrap({ text: model.verdict, columns: columns - 4 }).map((line) => `    ${line}`)];
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** The id by itself where it does not fit beside the rest: a name of a test is there to be copied, so it is never cut. */
function idLines({ test, judged, columns }: { test: ShownTest; judged: string; columns: number }): string[] {
  const rest = `${test.spread} [${judged}]`.trim();
  const id = `      ${test.testId}`;
  return widthOf(`${id} ${rest}`) <= columns ? [`${id} ${rest}`] : [id, `      ${rest}`];
}

function testLines({ test, columns, colours }: { test: ShownTest; columns: number; colours: Colours }): string[] {
  const origin = test.origin === 'original' ? 'original' : `${test.origin}, step ${test.step}`;
  const judged = test.class === 'unjudged' ? origin : `${origin}, ${test.class}`;
  const facts = [
    test.onBase === 'unknown' ? '' : `the unpatched base ${test.onBase} it`,
    test.reruns === 0 ? '' : `confirmed by ${test.reruns} ${test.reruns === 1 ? 'rerun' : 'reruns'}`,
  ].filter((fact) => fact !== '');
  return [
    ...idLines({ test, judged, columns }),
    ...(test.quote === '' ? [] : hanging({ first: '      the issue: ', text: `"${test.quote}"`, columns })),
    ...(facts.length === 0 ? [] : [colours.dim(`      ${facts.join('; ')}`)]),
  ];
}

function nextCommands(model: ReportModel): (readonly [string, string])[] {
  const run = shortRunId(model.runId);
  const commands: (readonly [string, string])[] = [];
  if (model.selected !== null) {
    commands.push([`testgrad apply ${run} --preview`, 'see what would change']);
    commands.push([`testgrad apply ${run}`, 'apply the patch']);
    if (model.tests.some((test) => test.source !== null)) {
      commands.push([`testgrad apply ${run} --test`, 'apply the patch and the test']);
    }
  }
  commands.push([`testgrad report ${run}`, 'for a pull request']);
  return commands;
}

function nextLines({
  model,
  columns,
  places,
}: {
  model: ReportModel;
  columns: number;
  places: ResultPlaces;
}): string[] {
  const commands = places.next ?? nextCommands(model);
  const width = Math.max(...commands.map(([command]) => command.length));
  const lines = commands.map(([command, purpose], index) => {
    const first = `${index === 0 ? ' Next   ' : '        '}${command.padEnd(width)}`;
    return widthOf(first) + 3 + purpose.length <= columns ? `${first}   ${purpose}` : first;
  });
  return [
    ...lines,
    ...(places.runDir === null ? [] : [` Files  ${places.runDir}`]),
    ...(places.uiUrl === null ? [] : [` Steps  ${places.uiUrl}`]),
  ];
}

/**
 * The result of a run for a terminal: the winner, why, its row of the matrix, what else to know, the next commands.
 * Lines hold at most `columns` columns, apart from ids of tests, paths and addresses, which are not cut.
 */
export function renderResult({
  model,
  columns,
  colour,
  places,
}: {
  model: ReportModel;
  columns: number;
  /** True adds ANSI colours; nothing is told by colour alone. */
  colour: boolean;
  places: ResultPlaces;
}): string {
  const colours = picocolors.createColors(colour);
  const why = model.reason === '' ? [] : hanging({ first: ' Why: ', text: model.reason, columns });
  const tests = model.tests.slice(0, 3).flatMap((test) => testLines({ test, columns, colours }));
  const more = model.tests.length > 3 ? [`      and ${model.tests.length - 3} more`] : [];
  const matrix = model.matrix === null ? [] : matrixLines({ view: model.matrix, columns, colours });
  const notes = model.notes.flatMap((note) => hanging({ first: ' ', text: note, columns }));
  const updates = model.decision.steps.length - 1;
  const ran = updates > 0 ? `${updates} ${updates === 1 ? 'update' : 'updates'}: ` : '';
  const spent = `${sentence(`${ran}${endedText(model.decision)}`)} ${sentence(usageText(model.usage.total))}`;
  const effort = hanging({ first: ' ', text: spent, columns });
  const blocks = [
    headline({ model, columns, colours }),
    [...why, ...tests, ...more],
    matrix,
    notes,
    effort.map((line) => colours.dim(line)),
    nextLines({ model, columns, places }),
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n`;
}
