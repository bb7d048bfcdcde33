import picocolors from 'picocolors';
import type { Phase, Progress } from '../core/progress.js';
import { cut, wrap } from './columns.js';
import { safeLine } from './safe-text.js';
import { shortRunId } from './short-run-id.js';
import { countText, priceText } from './usage-text.js';

/** What a live display shows besides the run's progress. */
export interface LiveFacts {
  readonly runId: string;
  /** The issue's title or the instance's name. */
  readonly title: string;
  readonly model: string;
  /** Token budget of the run. */
  readonly maxTokens: number;
  /** Since this run was first started. */
  readonly elapsedMs: number;
  /** Since the shown progress last changed; null before the first answer. */
  readonly idleMs: number | null;
  /** What the run is waiting out, such as a rate limit; null when nothing. */
  readonly trouble: string | null;
  readonly uiUrl: string | null;
}

const PHASE_TEXT: Readonly<Record<Phase, string>> = {
  prepare: 'prepare',
  forward: 'forward pass',
  judge: 'judge',
  momentum: 'momentum',
  backward: 'backward pass',
  checker: 'checker',
  finish: 'finish',
  done: 'done',
};

/** `0:07`, `12:30`, `1:02:03`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Where a run stands, in words: `step 3/8  backward pass: Optimizer works on update 3`. */
function phaseText(progress: Progress): string {
  const step =
    progress.phase === 'prepare'
      ? 'prepare'
      : progress.steps === 0
        ? `step ${progress.step}`
        : `step ${progress.step}/${progress.steps}`;
  const phase = progress.phase === 'prepare' ? '' : `  ${PHASE_TEXT[progress.phase]}`;
  const turn = progress.phase === 'backward' && progress.turn > 0 ? `, turn ${progress.turn}` : '';
  const message = safeLine(progress.message);
  return `${step}${phase}${message === '' ? '' : `: ${message}`}${turn}`;
}

function leadText(progress: Progress): string {
  const nameOf = (id: string): string =>
    safeLine(progress.candidates.find((candidate) => candidate.id === id)?.agent ?? id);
  return progress.leaders.length === 0 ? 'not known yet' : progress.leaders.map(nameOf).join(', ');
}

/**
 * The live display of a running instance: a frame of lines, each at most `columns` wide, without cursor movement.
 * `progress` is null until the workflow answers for the first time.
 */
export function renderFrame({
  facts,
  progress,
  columns,
  colour,
}: {
  facts: LiveFacts;
  progress: Progress | null;
  columns: number;
  /** True adds ANSI colours; nothing is told by colour alone. */
  colour: boolean;
}): string {
  const colours = picocolors.createColors(colour);
  const narrow = columns < 100;
  const line = (text: string): string => cut({ text, columns });
  const head = [
    colours.bold(line(`TestGRAD  ${safeLine(facts.title)}`)),
    line(`run ${facts.runId}${facts.model === '' ? '' : `   model ${safeLine(facts.model)}`}`),
  ];
  const idle = facts.idleMs === null || facts.idleMs < 5000 ? '' : `  (idle ${durationText(facts.idleMs)})`;
  const foot = [
    colours.dim(line(` Ctrl+C detaches, the run goes on   come back: testgrad watch ${shortRunId(facts.runId)}`)),
    ...(facts.uiUrl === null ? [] : [colours.dim(` ${facts.uiUrl}`)]),
  ];
  if (progress === null) {
    return [...head, '', line(` waiting for a worker  ${durationText(facts.elapsedMs)}`), '', ...foot].join('\n');
  }
  const tokens = `tokens ${countText(progress.tokens)} / ${countText(facts.maxTokens)}`;
  const counts = [
    `tests ${progress.rows}`,
    `differential ${progress.differential}`,
    ...(narrow ? [] : [`evidence ${progress.evidence}`]),
    `flaky ${progress.flaky}`,
    ...(narrow ? [] : [`files run ${progress.executedFiles}, known ${progress.reusedFiles}`]),
  ].join('   ');
  const money = [
    tokens,
    priceText(progress.usd),
    durationText(facts.elapsedMs),
    ...(progress.possibleDuplicates > 0 ? [`${progress.possibleDuplicates} calls perhaps paid twice`] : []),
  ].join('   ');
  const names = progress.candidates.map((candidate) => safeLine(candidate.agent)).join(', ');
  return [
    ...head,
    ...(names === '' ? [] : [line(`${progress.candidates.length} candidates: ${names}`)]),
    '',
    line(` ${progress.paused ? 'PAUSED  ' : ''}${phaseText(progress)}${idle}`),
    ...(facts.trouble === null
      ? []
      : wrap({ text: safeLine(facts.trouble), columns: columns - 3 })
          .slice(0, 3)
          .map((text) => colours.yellow(`   ${text}`))),
    line(` in the lead: ${leadText(progress)}`),
    ...(progress.failedUpdates > 0 ? [line(` failed updates: ${progress.failedUpdates}`)] : []),
    '',
    line(` ${counts}`),
    line(` ${money}`),
    '',
    ...foot,
  ].join('\n');
}

/** Where a run stands as one plain line. */
export function progressLine(progress: Progress): string {
  const counts = `tests ${progress.rows}, differential ${progress.differential}, evidence ${progress.evidence}`;
  const spent = `${countText(progress.tokens)} tokens`;
  const paused = progress.paused ? 'paused, ' : '';
  return `${paused}${phaseText(progress)}  [${counts}, lead: ${leadText(progress)}, ${spent}]`;
}

/** {@link progressLine} with the run it is about, for logs and pipes: printed when it changes. */
export const renderLine = ({ runId, progress }: { runId: string; progress: Progress }): string =>
  `${runId}  ${progressLine(progress)}`;
