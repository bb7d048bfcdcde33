import type { StepRecord } from '../core/decision.js';
import type { Phase, Progress } from '../core/progress.js';
import type { RowSummary } from '../core/row-summary.js';

/** What the details show besides the progress. */
export interface DetailFacts {
  readonly steps: readonly StepRecord[];
  /** Differential rows, the telling ones first; not all of them. */
  readonly rows: readonly RowSummary[];
}

const MAX_ROWS = 10;
const MAX_STEPS = 12;

/** What each phase waits for. */
const WAITS_FOR: Readonly<Record<Exclude<Phase, 'done'>, string>> = {
  prepare: 'the sandbox: patches are applied and the tests of the base run',
  forward: 'the sandbox: tests run on the candidates',
  judge: 'the model: it classes the differential rows',
  momentum: 'the mining of the failed updates',
  backward: 'the model, or the sandbox that tries its update',
  checker: 'the model: the checker decides',
  finish: 'the store',
};

/**
 * The current details of a run for Temporal's pages, as Markdown with tables: where it stands, what it waits for, its
 * steps, the tests that separate the candidates, momentum, and what an operator may send. Names that a model wrote
 * stay literal.
 */
export function currentDetails({ progress, facts }: { progress: Progress; facts: DetailFacts }): string {
  return [
    ...header(progress),
    ...stepTable({ progress, steps: facts.steps }),
    ...rowTable({ progress, rows: facts.rows }),
    ...momentum(facts.steps),
    ...operators(progress),
  ].join('\n');
}

function header(progress: Progress): string[] {
  const { phase, step, steps, turn, message, tokens, usd, failedUpdates } = progress;
  const at = turn > 0 && phase === 'backward' ? `, turn ${turn}` : '';
  const counts = `${progress.rows} tests, ${progress.differential} differential, ${progress.evidence} evidence, ${progress.flaky} flaky`;
  return [
    `**${phase}** · y${step} of ${steps} · ${literal(message)}${at}`,
    '',
    ...waiting(progress),
    `In the lead: ${namesOf({ progress, ids: progress.leaders }) || 'not known yet'}`,
    '',
    `${counts} · ${failedUpdates} failed ${failedUpdates === 1 ? 'update' : 'updates'} · ${tokens} tokens${usd === null ? '' : `, $${usd.toFixed(2)}`}`,
  ];
}

/** What the run waits for; nothing is said of one that is done. */
function waiting({ phase, paused }: Progress): string[] {
  if (phase === 'done') return [];
  const held = '**Paused**: it holds before the next step. The update `resume` lets it go on.';
  return [paused ? held : `Waits for: ${WAITS_FOR[phase]}.`, ''];
}

function stepTable({ progress, steps }: { progress: Progress; steps: readonly StepRecord[] }): string[] {
  if (steps.length === 0) return [];
  const shown = steps.slice(-MAX_STEPS);
  return [
    '',
    // What is long comes last: the pages show tables in a narrow column.
    line(['step', 'loss', 'differential', 'evidence', 'seconds', 'in the lead', 'update']),
    '|---|---|---|---|---|---|---|',
    ...shown.map((each) => {
      const cells = [
        `y${each.step}`,
        each.loss,
        each.differential,
        each.evidence,
        each.durationMs === undefined ? '' : Math.round(each.durationMs / 1000),
        namesOf({ progress, ids: each.leaders }),
        updateText(each),
      ];
      return line(cells);
    }),
  ];
}

function updateText({ step, operations, refusals }: StepRecord): string {
  const [first] = operations;
  if (first === undefined) return step === 0 ? 'tests as they are' : `none${refusals.length === 0 ? '' : ', refused'}`;
  return `${code(shortName(first))}${operations.length > 1 ? ` and ${operations.length - 1} more` : ''}`;
}

function rowTable({ progress, rows }: { progress: Progress; rows: readonly RowSummary[] }): string[] {
  if (rows.length === 0) return [];
  const { differential } = progress;
  const more =
    differential > rows.length ? [`\n${differential - rows.length} more differential rows in the report.`] : [];
  return [
    '',
    line(['class', 'passes', 'fails', 'test that separates']),
    '|---|---|---|---|',
    ...rows
      .slice(0, MAX_ROWS)
      .map(({ testId, class: kind, passed, failed }) =>
        line([kind, namesOf({ progress, ids: passed }), namesOf({ progress, ids: failed }), code(testId)]),
      ),
    ...more,
  ];
}

function momentum(steps: readonly StepRecord[]): string[] {
  const latest = steps.findLast(({ rawMemoryTokens }) => rawMemoryTokens > 0);
  if (latest === undefined) return [];
  return [
    '',
    `Momentum m${latest.step}: ${latest.momentumTokens} tokens, mined from ${latest.rawMemoryTokens} tokens of failed updates.`,
  ];
}

function operators({ phase, paused }: Progress): string[] {
  if (phase === 'done') return [];
  const hold = paused ? '`resume`' : '`pause`';
  return [
    '',
    `Updates: ${hold}, \`stopAfterIteration\`, \`setBudget {"maxTokens": N}\`. Cancelling stops and clears up.`,
  ];
}

function namesOf({ progress, ids }: { progress: Progress; ids: readonly string[] }): string {
  const names = new Map(progress.candidates.map(({ id, agent }) => [id, agent]));
  return ids.map((id) => literal(names.get(id) ?? id)).join(', ');
}

/** `create tests/test_a.py::Test::test_b` → `create test_b`: the file is in the report. */
function shortName(operation: string): string {
  const [op = '', ...id] = operation.split(' ');
  return `${op} ${id.join(' ').split('::').at(-1) ?? ''}`.trim();
}

/** A row of a table. The pages leave no room between columns, so each cell ends with a space that stays. */
const line = (cells: readonly (string | number)[]): string => `| ${cells.join('\u00a0 | ')} |`;

/** Text in a paragraph or cell: no markup, no other cell, one line. */
const literal = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>|~#]/g, '\\$&');

/** Inline code in a cell. */
const code = (text: string): string =>
  `\`${text.replace(/\s+/g, ' ').replace(/`/g, "'").replace(/\|/g, '\\|').slice(0, 160)}\``;
