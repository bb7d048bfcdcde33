import type { FailedSuite, FailedUpdate, FailurePattern } from '../failure-memory.js';
import { type Frame, framesOf } from './frame.js';
import { oneLine } from './one-line.js';
import { type RetainedBlock, retainedBlocks } from './retained-blocks.js';

const MAX_STATEMENT_CHARS = 120;
const NAMES_AT_MOST = 4;

// What the first ones do not tell, the others do not either.
const BLOCKS_AT_MOST = 4;

// What the other lines may take while blocks want to be shown: the blocks are what momentum is for.
const FRAME_SHARE = 0.6;

/** A block cut to its first `shown` statements. */
interface ShownBlock {
  readonly block: RetainedBlock;
  readonly shown: number;
}

/**
 * Momentum as the optimizer reads it: the statements that failed updates share, each block with "dead end" and how many
 * of all failed updates hold it; failed updates that gave no test; and what the repository offers instead.
 *
 * `suites` are those that `patterns` were mined from; `abstractedLiterals` says that they agree up to literals only.
 * `steer` names pieces of the testing knowledge that no failed update used, best first; `focus` the names that the issue
 * and the candidates' changes are about. The text never has more than `maxTokens` tokens (default 150) by `countTokens`:
 * blocks that tell the least go first, then steer items, then reasons;
 * of a first block that is too long its core of higher support or its beginning stays. Empty for an empty memory, or
 * where not even the head line fits.
 */
export function renderMomentum({
  memory,
  suites,
  patterns,
  minSupport,
  steer,
  focus = new Set(),
  countTokens,
  maxTokens = 150,
  abstractedLiterals = false,
}: {
  memory: readonly FailedUpdate[];
  suites: readonly FailedSuite[];
  patterns: readonly FailurePattern[];
  minSupport: number;
  steer: readonly string[];
  focus?: ReadonlySet<string>;
  countTokens: (text: string) => number;
  maxTokens?: number;
  abstractedLiterals?: boolean;
}): string {
  if (memory.length === 0) return '';
  const compose = ({ shown, frame }: { shown: readonly ShownBlock[]; frame: Frame }): string => {
    const dead = shown.map((each) => blockText({ ...each, of: memory.length, abstractedLiterals }));
    const head = dead.length > 0 ? dead : [nothingShared({ memory, minSupport, patterns })];
    return [...head, frame.others, frame.steer].filter((part) => part !== '').join('\n');
  };
  const fits = (text: string, budget: number): boolean => countTokens(text) <= budget;

  const blocks = retainedBlocks({ patterns, suites, minSupport, focus, limit: BLOCKS_AT_MOST });
  const frameBudget = blocks.length > 0 ? Math.floor(maxTokens * FRAME_SHARE) : maxTokens;
  for (const frame of framesOf({ memory, steer })) {
    if (!fits(compose({ shown: [], frame }), frameBudget)) continue;
    const shown = fill({ blocks, fits: (these) => fits(compose({ shown: these, frame }), maxTokens), maxTokens });
    if (shown.length > 0 || blocks.length === 0) return compose({ shown, frame });
  }
  const least = nothingShared({ memory, minSupport, patterns });
  return blocks.length === 0 && fits(least, maxTokens) ? least : '';
}

/** As many blocks as fit, in their order; the first one is made to fit. */
function fill({
  blocks,
  fits,
  maxTokens,
}: {
  blocks: readonly RetainedBlock[];
  fits: (shown: readonly ShownBlock[]) => boolean;
  maxTokens: number;
}): ShownBlock[] {
  const shown: ShownBlock[] = [];
  for (const block of blocks) {
    const whole = { block, shown: block.pattern.texts.length };
    if (fits([...shown, whole])) {
      shown.push(whole);
      continue;
    }
    const part = shown.length === 0 ? madeToFit({ block, fits, maxTokens }) : null;
    return part ? [part] : shown;
  }
  return shown;
}

function madeToFit({
  block,
  fits,
  maxTokens,
}: {
  block: RetainedBlock;
  fits: (shown: readonly ShownBlock[]) => boolean;
  maxTokens: number;
}): ShownBlock | null {
  let inner = block;
  while (inner.core !== null) {
    inner = inner.core.block;
    const whole = { block: inner, shown: inner.pattern.texts.length };
    if (fits([whole])) return whole;
  }
  // A statement takes a token at least, so more of them than tokens need not be tried.
  for (let shown = Math.min(block.pattern.texts.length - 1, maxTokens); shown > 0; shown -= 1) {
    if (fits([{ block, shown }])) return { block, shown };
  }
  return null;
}

/** Without a common block the latest tests' names are all that tells the direction. */
function nothingShared({
  memory,
  minSupport,
  patterns,
}: {
  memory: readonly FailedUpdate[];
  minSupport: number;
  patterns: readonly FailurePattern[];
}): string {
  const names = memory.flatMap(({ tests }) => tests.map(({ name }) => name.split('::').at(-1) ?? name));
  const latest = names.slice(-NAMES_AT_MOST).map((name) => oneLine({ text: name, maxChars: 60 }));
  const which = latest.length > 0 ? ` (${latest.join(', ')})` : '';
  return memory.length < minSupport
    ? `${counted(memory.length)} so far${which}.`
    : `${counted(memory.length)}${which}; no ${minSupport} of them share ${patterns.length > 0 ? 'more than set-up' : 'a statement'}.`;
}

const counted = (failed: number): string => (failed === 1 ? '1 failed update' : `${failed} failed updates`);

function blockText({
  block,
  shown,
  of,
  abstractedLiterals,
}: ShownBlock & { of: number; abstractedLiterals: boolean }): string {
  const { pattern, core } = block;
  const isCore = (index: number): boolean =>
    core !== null && index >= core.start && index < core.start + core.block.pattern.keys.length;
  const texts = pattern.texts.slice(0, shown);
  const marks = core !== null && texts.some((_, index) => isCore(index));
  const lines = texts.map(
    (text, index) => `${isCore(index) ? '> ' : '  '}${oneLine({ text, maxChars: MAX_STATEMENT_CHARS })}`,
  );
  const rest = pattern.texts.length - texts.length;
  const which = [
    abstractedLiterals ? 'literals aside' : '',
    marks ? `lines with >: ${core?.block.pattern.support} of ${of}` : '',
  ].filter((part) => part !== '');
  const head = `Dead end: ${pattern.support} of ${counted(of)}${which.length > 0 ? ` (${which.join('; ')})` : ''}`;
  return [head, ...lines, ...(rest > 0 ? [`  … ${rest} more`] : [])].join('\n');
}
