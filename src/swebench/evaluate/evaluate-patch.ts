import { type Grade, gradeLog } from '../grading/grade-log.js';
import { MARKERS } from '../grading/markers.js';
import type { EvaluationInstance } from '../instance.js';
import { withExpectedNames } from '../logs/foreign-names.js';
import type { HarnessRules } from '../logs/log-parser.js';
import { parserNamed, parserNameOf } from '../logs/parsers.js';
import { projectSpec } from '../projects.js';
import { applyScript, diffScript, NOT_APPLIED } from '../scripts/apply-script.js';
import { evalScript } from '../scripts/eval-script.js';
import type { EvaluationPlace, OpenPlace, ScriptExit } from './place.js';

/** Why a patch has no grade. Only `not-applied`, `timeout` and `unparsable` say something about the patch. */
export type EvaluationTrouble = 'not-applied' | 'timeout' | 'unparsable' | 'unsupported' | 'infra' | 'cancelled';

/** What came out for one patch. */
export type EvaluationResult =
  | { readonly kind: 'graded'; readonly grade: Exclude<Grade, { kind: 'unparsable' }> }
  | { readonly kind: 'trouble'; readonly trouble: EvaluationTrouble; readonly detail: string };

/** All that an evaluation leaves, as the files of its log folder hold it. */
export interface Evaluation {
  readonly result: EvaluationResult;
  /** `eval.sh`; null when it did not come to that. */
  readonly script: string | null;
  /** `test_output.txt`; null when the script did not run. */
  readonly testOutput: string | null;
  /** `run_instance.log`, line by line. */
  readonly log: readonly string[];
}

/** How long applying a patch and reading differences may take. */
const HANDLING_MS = 300_000;

/** The harness whose rules hold for an instance: rows that bring their own script are for 5.0, all others for 4.1. */
export const rulesOf = (instance: EvaluationInstance): HarnessRules => (instance.evalScript === null ? 'v4' : 'v5');

/**
 * Grades one patch: a fresh place, the patch, the developers' tests, and what their log says.
 *
 * The patch's bytes are written as they are. Never throws for anything that a patch or a place does.
 */
export async function evaluatePatch({
  instance,
  patch,
  open,
  rules,
  timeoutMs,
  signal,
}: {
  instance: EvaluationInstance;
  patch: Uint8Array;
  open: OpenPlace;
  rules: HarnessRules;
  /** For the tests; the harness's default is 1,800,000. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}): Promise<Evaluation> {
  const log: string[] = [];
  const ended = (trouble: EvaluationTrouble, detail: string, rest: Partial<Evaluation> = {}): Evaluation => {
    log.push(detail);
    return { script: null, testOutput: null, log, ...rest, result: { kind: 'trouble', trouble, detail } };
  };
  const parser = parserNamed(instance.logParser ?? parserNameOf(instance.repo) ?? '');
  if (parser === null) return ended('unsupported', `No parser for the logs of ${instance.logParser ?? instance.repo}.`);

  if (signal?.aborted === true) return ended('cancelled', 'Cancelled before it began.');

  let place: EvaluationPlace | null = null;
  try {
    place = await open({ instance, signal });
    const { layout } = place;
    const spec = projectSpec({ repo: instance.repo, version: instance.version ?? '' });
    const script = evalScript({ instance, spec, rules, layout });
    if (script === null) {
      return ended('unsupported', `No set-up of ${instance.repo} ${instance.version ?? 'without a version'} is known.`);
    }
    const run = runner({ place, signal });
    await place.put([{ path: layout.patchFile, bytes: patch }]);
    const applied = await run({ script: applyScript({ rules, layout }), limitMs: HANDLING_MS });
    if (applied.exit.kind !== 'exited' || ![0, NOT_APPLIED].includes(applied.exit.code)) {
      return ended(...ourTrouble({ exit: applied.exit, what: 'applying the patch', log: applied.log }));
    }
    if (applied.exit.code === NOT_APPLIED) return ended('not-applied', `${MARKERS.applyFailed}:\n${applied.log}`);
    log.push(`${MARKERS.applied}:\n${applied.log}`);
    const before = await run({ script: diffScript({ layout }), limitMs: HANDLING_MS });
    log.push(`Git diff before:\n${before.log.trim()}`);

    const tested = await run({ script, limitMs: timeoutMs });
    log.push(`Test runtime: ${(tested.durationMs / 1000).toFixed(2)} seconds`);
    if (tested.exit.kind === 'timeout') {
      const seconds = Math.round(timeoutMs / 1000);
      const testOutput = `${tested.log}\n\nTimeout error: ${seconds} seconds exceeded.`;
      return ended('timeout', `Test timed out after ${seconds} seconds.`, { script, testOutput });
    }
    if (tested.exit.kind !== 'exited') {
      const trouble = ourTrouble({ exit: tested.exit, what: 'running the tests', log: '' });
      return ended(...trouble, { script, testOutput: tested.log });
    }
    const { evalType, expected } = instance;
    const names = [...expected.failToPass, ...expected.passToPass];
    const output = layout.hasRecordedNames ? tested.log : withExpectedNames({ log: tested.log, expected: names });
    const grade = gradeLog({ log: output, parser, rules, evalType, expected });
    if (grade.kind === 'unparsable') {
      const detail = `The log cannot be read beyond this line: ${JSON.stringify(grade.line)}`;
      return ended('unparsable', detail, { script, testOutput: tested.log });
    }
    log.push(`Result for ${instance.instanceId}: resolved: ${grade.report.resolved}`);
    return { result: { kind: 'graded', grade }, script, testOutput: tested.log, log };
  } catch (error) {
    return ended('infra', `Error in evaluating ${instance.instanceId}: ${(error as Error).message}`);
  } finally {
    await place?.close().catch(() => undefined);
  }
}

/** Runs script texts, one after the other, each under the place's one script path. */
function runner({ place, signal }: { place: EvaluationPlace; signal: AbortSignal | undefined }) {
  const path = place.layout.scriptFile;
  return async ({ script, limitMs }: { script: string; limitMs: number }) => {
    await place.put([{ path, bytes: Buffer.from(script) }]);
    return place.bash({ path, timeoutMs: limitMs, signal });
  };
}

function ourTrouble({ exit, what, log }: { exit: ScriptExit; what: string; log: string }): [EvaluationTrouble, string] {
  if (exit.kind === 'cancelled') return ['cancelled', `Cancelled while ${what}.`];
  const why = exit.kind === 'killed' || exit.kind === 'broken' ? exit.reason : `it ended with ${JSON.stringify(exit)}`;
  return ['infra', `Trouble while ${what}: ${why}${log === '' ? '' : `\n${log}`}`];
}
