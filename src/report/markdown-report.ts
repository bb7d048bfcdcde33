import { hiddenText, legendOf, MARK_TEXT, restText } from './matrix-view.js';
import type { ReportModel, ShownTest } from './report-model.js';
import { markdownBlock, markdownCode, markdownLine, safeLine } from './safe-text.js';
import { usageText } from './usage-text.js';
import { endedText } from './verdict.js';

/** Lines of a report at most: it is meant to be pasted into a pull request. */
export const MAX_REPORT_LINES = 60;

const MAX_TESTS = 3;
/** Lines of the deciding test that are shown before the steps get room. */
const MIN_SOURCE = 16;
const MAX_NOTES = 6;

function title(model: ReportModel): string[] {
  const winner = model.selected === null ? 'no recommendation' : markdownLine(model.selected.agent);
  const size = model.selected === null ? '' : ` (${model.selected.size})`;
  return [`## TestGRAD: ${winner}${size}`, '', `${markdownLine(model.instance)}: ${markdownLine(model.verdict)}.`];
}

function why(model: ReportModel): string[] {
  const lines = model.reason === '' ? [] : ['', `**Why.** ${markdownLine(model.reason)}`];
  for (const test of model.tests.slice(0, MAX_TESTS)) {
    const origin = test.origin === 'original' ? 'original' : `${test.origin} at step ${test.step}`;
    const base = test.onBase === 'unknown' ? '' : `; the unpatched base ${test.onBase} it`;
    lines.push('', `- ${[markdownCode(test.testId), test.spread, `(${origin}${base})`].filter(Boolean).join(' ')}`);
    if (test.quote !== '') {
      lines.push(`  > ${markdownLine(test.quote)}`);
    }
  }
  const hidden = model.tests.length - MAX_TESTS;
  if (hidden > 0) lines.push('', `- and ${hidden} more in decision.json`);
  return lines;
}

function table(model: ReportModel): string[] {
  const view = model.matrix;
  if (view === null) {
    return [];
  }
  const heads = view.columns.map((column) => {
    const name = markdownLine(column.title);
    return column.selected ? `**${name}**` : name;
  });
  const lines = ['', `| test | ${heads.join(' | ')} |`, `| --- |${heads.map(() => ' --- |').join('')}`];
  for (const row of view.rows) {
    const cells = view.columns.map((column) => MARK_TEXT[row.marks[column.id] ?? 'missing']);
    const note = [row.spread, row.note].filter((part) => part !== '').join(', ');
    lines.push(`| ${markdownCode(row.testId)} ${note} | ${cells.join(' | ')} |`);
  }
  if (view.rest.rows > 0) {
    const cells = view.columns.map((column) => restText({ view, columnId: column.id }));
    lines.push(`| ${view.rest.rows} other ${view.rest.rows === 1 ? 'test' : 'tests'} | ${cells.join(' | ')} |`);
  }
  const below = [legendOf(view), hiddenText(view)].filter((text) => text !== '').map((text) => markdownLine(text));
  return below.length === 0 ? lines : [...lines, '', below.join('. ')];
}

/** The last steps, as many as fit, folded. */
function steps({ model, maxLines }: { model: ReportModel; maxLines: number }): string[] {
  const all = model.decision.steps;
  const room = Math.min(all.length, maxLines - FOLD_LINES - 2);
  if (all.length <= 1 || room < 1) {
    return [];
  }
  const shown = all.slice(-room);
  const lines = ['| step | update | loss | differential | in the lead |', '| --- | --- | --- | --- | --- |'];
  for (const step of shown) {
    const [first, ...others] = step.operations;
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    const none = step.step === 0 ? 'tests as they are' : 'no update';
    const update = first === undefined ? none : `${markdownCode(first)}${more}`;
    const leaders = markdownLine(step.leaders.map((id) => nameOf({ model, id })).join(', '));
    lines.push(`| ${step.step} | ${update} | ${step.loss} | ${step.differential} | ${leaders} |`);
  }
  const which = shown.length === all.length ? '' : `, the last ${shown.length} of ${all.length} steps`;
  return fold({ title: `How the tests evolved${which}`, lines });
}

/** Lines of {@link fold} around what is folded. */
const FOLD_LINES = 5;

function fold({ title, lines }: { title: string; lines: readonly string[] }): string[] {
  return ['', `<details><summary>${title}</summary>`, '', ...lines, '', '</details>'];
}

const nameOf = ({ model, id }: { model: ReportModel; id: string }): string =>
  safeLine(model.decision.candidates.find((candidate) => candidate.id === id)?.agent ?? id);

function source({ code, maxLines }: { code: readonly string[]; maxLines: number }): string[] {
  // Two for the fences.
  const room = maxLines - FOLD_LINES - 2;
  if (code.length === 0 || room < 3) {
    return [];
  }
  const kept = code.length <= room ? code : [...code.slice(0, room - 1), `# ${code.length - room + 1} more lines`];
  const lines = markdownBlock({ text: kept.join('\n'), language: 'python' });
  return fold({ title: 'The deciding test', lines });
}

const codeOf = (test: ShownTest | undefined): string[] => test?.source?.trimEnd().split('\n') ?? [];

/** A report of at most {@link MAX_REPORT_LINES} lines for a pull request; the code of the test takes what is left. */
export function renderMarkdown(model: ReportModel): string {
  const notes = model.notes.slice(0, MAX_NOTES).map((note) => `- ${markdownLine(note)}`);
  const hidden = model.notes.length - notes.length;
  const more = hidden > 0 ? [`- and ${hidden} more in decision.json`] : [];
  const before = [...title(model), ...why(model), ...table(model)];
  const after = [
    ...(notes.length > 0 ? ['', ...notes, ...more] : []),
    '',
    `Ended because ${endedText(model.decision)}. ${markdownLine(usageText(model.usage.total))}. Run ${markdownCode(model.runId)}.`,
  ];
  const room = MAX_REPORT_LINES - before.length - after.length;
  const code = codeOf(model.tests.find((test) => test.source !== null));
  const least = code.length === 0 ? 0 : Math.min(code.length, MIN_SOURCE) + FOLD_LINES + 2;
  const evolved = steps({ model, maxLines: room - least });
  const test = source({ code, maxLines: room - evolved.length });
  return `${[...before, ...test, ...evolved, ...after].join('\n')}\n`;
}
