import type { Settings } from './settings.js';

/** Parts of the method that can be taken away, to measure what each is worth. */
export interface Parts {
  /** The optimizer reads in the repository, and is given the inventory of its testing knowledge. */
  readonly read: boolean;
  /** An update may revise original tests in place; without, it creates and deletes only. */
  readonly update: boolean;
  /**
   * What the loop works for and what chooses: the differential loss and the checker, or the number of passed tests,
   * where the loop ends as soon as one candidate passes more than every other, and the most passed tests win.
   */
  readonly objective: 'loss' | 'pass-count';
  /** What the optimizer is told of the failed updates: mined momentum, all of them in full, or nothing. */
  readonly memory: 'momentum' | 'raw' | 'none';
}

/** The method as it is. */
export const WHOLE_METHOD: Parts = { read: true, update: true, objective: 'loss', memory: 'momentum' };

/** The parts that a run has; settings without a word on it have all of them. */
export const partsOf = (settings: Pick<Settings, 'parts'>): Parts => settings.parts ?? WHOLE_METHOD;

/** The ablations of the paper, by the name that a report gives them. */
export const ABLATIONS = [
  'no-read',
  'no-update',
  'no-read-no-update',
  'pass-count',
  'no-momentum',
  'no-iteration',
  'raw-memory',
] as const;

/** Name of an ablation. */
export type Ablation = (typeof ABLATIONS)[number];

const WITHOUT: Readonly<Record<Ablation, Partial<Parts>>> = {
  'no-read': { read: false },
  'no-update': { update: false },
  'no-read-no-update': { read: false, update: false },
  'pass-count': { objective: 'pass-count' },
  'no-momentum': { memory: 'none' },
  'no-iteration': {},
  'raw-memory': { memory: 'raw' },
};

/**
 * Settings with one part of the method taken away.
 *
 * Without iteration one update is made. With the pass count the extensions that judge rows and follow the lead have
 * nothing to work on and are off, as every candidate has to run every test.
 */
export function ablated({ settings, ablation }: { settings: Settings; ablation: Ablation }): Settings {
  const parts: Parts = { ...partsOf(settings), ...WITHOUT[ablation] };
  const isWhole = Object.entries(WHOLE_METHOD).every(([name, value]) => parts[name as keyof Parts] === value);
  // Settings say nothing of a whole method: they are part of a run's identity.
  const rest = isWhole ? settings : { ...settings, parts };
  if (ablation === 'no-iteration') return { ...rest, steps: 1 };
  if (ablation !== 'pass-count') return rest;
  return {
    ...rest,
    extensions: { ...settings.extensions, separateLeaders: false, judgeRows: false, runLeadersOnly: false },
  };
}
