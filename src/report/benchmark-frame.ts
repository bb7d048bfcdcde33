import picocolors from 'picocolors';
import { type BenchmarkProgress, etaMs, type FailedItem, type RunningItem } from '../core/benchmark-progress.js';
import { DECIDED_BY, type DecidedBy } from '../core/metrics/record.js';
import { cut, cutMiddle, fill, hanging } from './columns.js';
import { durationText } from './live-frame.js';
import { safeLine } from './safe-text.js';
import { shortRunId } from './short-run-id.js';
import { countText, priceText } from './usage-text.js';

/** What a live display of a benchmark shows besides its progress. */
export interface BenchmarkFacts {
  readonly runId: string;
  readonly title: string;
  readonly model: string;
  /** Since this run was first started. */
  readonly elapsedMs: number;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  readonly uiUrl: string | null;
}

const MAX_RUNNING = 8;
const MAX_FAILED = 4;

const DECIDED_TEXT: Readonly<Record<DecidedBy, string>> = {
  'existing-test': 'existing test',
  'updated-test': 'updated test',
  'created-test': 'created test',
  equivalent: 'equivalent',
  'single-candidate': 'single candidate',
  judge: 'judged by a model',
  rule: 'rule or vote',
  fallback: 'fallback',
  bound: 'bound',
  nothing: 'nothing selected',
  error: 'error',
};

/** Outcomes by how they were decided, errors last: `12 created test`. */
function outcomeTexts({ tally }: BenchmarkProgress): string[] {
  return [
    ...DECIDED_BY.flatMap((kind) => {
      const count = tally.byDecided[kind] ?? 0;
      return count === 0 ? [] : [`${count} ${DECIDED_TEXT[kind]}`];
    }),
    ...(tally.errors === 0 ? [] : [`${tally.errors} ${tally.errors === 1 ? 'error' : 'errors'}`]),
  ];
}

const doneOf = ({ tally }: BenchmarkProgress): number => tally.finished + tally.errors;

function stateText({ paused, spent }: BenchmarkProgress): string {
  if (paused) return 'PAUSED  ';
  return spent ? 'BUDGET SPENT  ' : '';
}

function moneyText({ tally, budget }: BenchmarkProgress): string {
  const tokens = `${countText(tally.tokens)} tokens${budget.maxTokens === null ? '' : ` of ${countText(budget.maxTokens)}`}`;
  const usd = `${priceText(tally.usd)}${budget.maxUsd === null ? '' : ` of $${budget.maxUsd.toFixed(2)}`}`;
  const doubtful = tally.possibleDuplicates === 0 ? '' : `, ${tally.possibleDuplicates} calls perhaps paid twice`;
  return `${tokens}, ${usd}${doubtful}`;
}

function bar({ done, items, columns }: { done: number; items: number; columns: number }): string {
  const full = items === 0 ? columns : Math.floor((done / items) * columns);
  return `[${'#'.repeat(full)}${'.'.repeat(columns - full)}]`;
}

const itemText = ({ instanceId, arm, n }: Pick<RunningItem, 'instanceId' | 'arm'> & { readonly n?: number }): string =>
  safeLine(`${instanceId}  ${arm}${n === undefined ? '' : `  n ${n}`}`);

/**
 * The live display of a benchmark: lines of at most `columns`, without cursor movement. `progress` is null until the
 * workflow answers for the first time.
 */
export function renderBenchmarkFrame({
  facts,
  progress,
  columns,
  colour,
}: {
  facts: BenchmarkFacts;
  progress: BenchmarkProgress | null;
  columns: number;
  /** True adds ANSI colours; nothing is told by colour alone. */
  colour: boolean;
}): string {
  const colours = picocolors.createColors(colour);
  const line = (text: string): string => cut({ text, columns });
  const short = shortRunId(facts.runId);
  const head = [
    colours.bold(line(`TestGRAD bench  ${safeLine(facts.title)}`)),
    line(`run ${facts.runId}${facts.model === '' ? '' : `   model ${safeLine(facts.model)}`}`),
  ];
  const foot = [
    colours.dim(line(` Ctrl+C detaches, the run goes on   come back: testgrad watch ${short}`)),
    colours.dim(line(` also: testgrad pause, resume -w N, cancel ${short}`)),
    ...(facts.uiUrl === null ? [] : [colours.dim(` ${facts.uiUrl}`)]),
  ];
  if (progress === null) {
    return [...head, '', line(` waiting for a worker  ${durationText(facts.elapsedMs)}`), '', ...foot].join('\n');
  }
  const done = doneOf(progress);
  const { items, running, width, knownBefore } = progress;
  const left = etaMs({ progress, nowMs: facts.nowMs });
  const percent = items === 0 ? 100 : Math.floor((done / items) * 100);
  return [
    ...head,
    '',
    line(
      ` ${stateText(progress)}${bar({ done, items, columns: columns < 100 ? 20 : 40 })}  ${done}/${items}  ${percent}%   ${durationText(facts.elapsedMs)} elapsed   ${left === null ? '' : `about ${durationText(left)} left`}`.trimEnd(),
    ),
    ...hanging({
      first: ' ',
      text: `${moneyText(progress)}${knownBefore === 0 ? '' : `, ${knownBefore} were done before`}`,
      columns,
    }),
    '',
    ...hanging({ first: ' ', text: outcomeTexts(progress).join(', ') || 'nothing is decided yet', columns }),
    '',
    line(` running ${running.length} of ${width}`),
    ...runningLines({ running, nowMs: facts.nowMs, columns }),
    ...failedLines({ failed: progress.failed, columns, short }).map((text) => colours.yellow(text)),
    '',
    ...foot,
  ].join('\n');
}

function runningLines({
  running,
  nowMs,
  columns,
}: {
  running: readonly RunningItem[];
  nowMs: number;
  columns: number;
}): string[] {
  const longest = [...running].sort((left, right) => left.startedMs - right.startedMs).slice(0, MAX_RUNNING);
  const width = Math.max(20, columns - 14);
  return [
    ...longest.map((item) => {
      const name = fill({ text: cutMiddle({ text: itemText(item), columns: width }), columns: width });
      return `   ${name} ${durationText(nowMs - item.startedMs).padStart(8)}`;
    }),
    ...(running.length > longest.length ? [`   and ${running.length - longest.length} more`] : []),
  ];
}

function failedLines({
  failed,
  columns,
  short,
}: {
  failed: readonly FailedItem[];
  columns: number;
  short: string;
}): string[] {
  if (failed.length === 0) return [];
  return [
    '',
    cut({ text: ` last errors; when it has ended: testgrad retry ${short}`, columns }),
    ...failed
      .slice(-MAX_FAILED)
      .map((item) => cut({ text: `   ${item.code}  ${itemText(item)}  ${safeLine(item.message)}`, columns })),
  ];
}

/** Where a benchmark stands as one plain line. */
export function benchmarkLine({
  runId,
  progress,
  nowMs,
}: {
  runId: string;
  progress: BenchmarkProgress;
  nowMs: number;
}): string {
  const left = etaMs({ progress, nowMs });
  const parts = [
    `${doneOf(progress)}/${progress.items} done`,
    `${progress.running.length} running`,
    ...outcomeTexts(progress),
    moneyText(progress),
    ...(left === null ? [] : [`about ${durationText(left)} left`]),
  ];
  return `${shortRunId(runId)}  ${stateText(progress)}${parts.join(', ')}`;
}

/** An error as one plain line, with the command that runs errors again. */
export function failedLine({ runId, failed }: { runId: string; failed: FailedItem }): string {
  return safeLine(
    `${shortRunId(runId)}  error  ${itemText(failed)}  ${failed.code} ${failed.message}  (when it has ended: testgrad retry ${shortRunId(runId)})`,
  );
}
