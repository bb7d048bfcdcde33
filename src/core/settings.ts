import type { Parts } from './ablation.js';

/** `paper` follows the method to the letter; `balanced` (default) switches on what has been shown to help. */
export type Preset = 'paper' | 'balanced';

/** Everything that may change a decision besides the instance; part of the run's identity. */
export interface Settings {
  readonly preset: Preset;
  /** Iterations at most; the paper uses 8. */
  readonly steps: number;
  /** β: a block is kept when at least this many failed updates hold it; the paper uses 2. */
  readonly minSupport: number;
  /** Derives neutral labels and presentation order. */
  readonly seed: number;
  readonly model: string;
  readonly checkerModel: string;
  /** Sampling temperature, or null to leave it to the endpoint. */
  readonly temperature: number | null;
  /** Output tokens of one turn; default 8,192. */
  readonly maxOutputTokens: number;
  /** Context window of the model in tokens, from which Read results are trimmed; default 128,000. */
  readonly contextTokens: number;
  /** Total tokens of the run; when spent the loop ends and the checker runs; default 3,000,000. */
  readonly maxTokens: number;
  /** Runs that confirm a differential row; 1 by default. */
  readonly reruns: number;
  /** Test files executed at y_0 at most; default 12. */
  readonly maxTestFiles: number;
  /** Model turns in one backward pass at most; default 40. */
  readonly maxTurns: number;
  /** Submissions refused in one backward pass before it counts as a failed update; default 3. */
  readonly maxRefusals: number;
  readonly extensions: Extensions;
  /** Parts of the method that the run has; absent for all of them. */
  readonly parts?: Parts | undefined;
}

/** Each goes beyond the paper and can be switched off by itself. */
export interface Extensions {
  /** Go on until the candidates in the lead are separated by evidence or found equal. */
  readonly separateLeaders: boolean;
  /** Judge each differential row against the issue; only issue, regression and convention rows are evidence. */
  readonly judgeRows: boolean;
  /** After y_0 run new tests on the candidates in the lead only: the others are out, whatever else they do. */
  readonly runLeadersOnly: boolean;
  /** Let the optimizer look at the candidates' changes under neutral labels. */
  readonly showCandidates: boolean;
}

/** Settings of a preset; the caller sets the model. */
export function presetSettings({ preset, model }: { preset: Preset; model: string }): Settings {
  const on = preset === 'balanced';
  return {
    preset,
    steps: 8,
    minSupport: 2,
    seed: 1,
    model,
    checkerModel: model,
    temperature: null,
    maxOutputTokens: 8192,
    contextTokens: 128_000,
    maxTokens: 3_000_000,
    reruns: 1,
    maxTestFiles: 12,
    maxTurns: 40,
    maxRefusals: 3,
    extensions: { separateLeaders: on, judgeRows: on, runLeadersOnly: on, showCandidates: on },
  };
}
