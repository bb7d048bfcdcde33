import { isDeepStrictEqual } from 'node:util';
import { executedAgain } from '../support/run-traces.js';
import type { ScriptedRequest } from '../support/scripted-model.js';
import type { Played } from './play-run.js';
import type { Outcome, Scene } from './scene.js';

/** A run with all that it left. */
export interface Ended {
  readonly played: Played;
  readonly outcome: Outcome;
  readonly requests: readonly ScriptedRequest[];
}

/** What crashes have cost a run. */
export interface Repeats {
  /** Requests that the model got once more than undisturbed, by its own count. */
  readonly asked: number;
  /** Calls that the run says may have been paid twice. */
  readonly counted: number;
  /** Test files executed once more. */
  readonly executed: number;
}

/** What a run repeated, and everything about it that must not be. */
export function checkRun({
  scene,
  run: { played, outcome, requests },
  undisturbed,
}: {
  scene: Pick<Scene, 'callsAtOnce' | 'filesAtOnce'>;
  run: Ended;
  undisturbed: Ended;
}): { readonly repeats: Repeats; readonly problems: string[] } {
  const { workerKills } = played;
  const [asked, usual] = [requests, undisturbed.requests].map(countsOf) as [Counts, Counts];
  const { executions } = outcome;
  const repeats: Repeats = {
    asked: requests.length - undisturbed.requests.length,
    counted: outcome.possibleDuplicates,
    executed: executedAgain({ executions, undisturbed: undisturbed.outcome.executions }),
  };
  const isSame = isDeepStrictEqual([...asked.keys()].sort(), [...usual.keys()].sort());
  const rules: readonly (readonly [string, boolean])[] = [
    ['another answer', isDeepStrictEqual(outcome.answer, undisturbed.outcome.answer)],
    ['other requests than undisturbed', isSame && [...usual].every(([key, times]) => (asked.get(key) ?? 0) >= times)],
    ['calls not counted', outcome.calls === undisturbed.requests.length],
    ['more requests repeated than were in work', repeats.counted <= workerKills * scene.callsAtOnce],
    ['a repeated request that is not counted', repeats.asked <= repeats.counted],
    ['finished test files executed again', repeats.executed <= workerKills * scene.filesAtOnce],
  ];
  const broken = rules.filter(([, holds]) => !holds).map(([problem]) => problem);
  const left = Object.entries(outcome.left).flatMap(([what, some]) =>
    some.length > 0 ? [`${what} left: ${some.join(', ')}`] : [],
  );
  return { repeats, problems: [...broken, ...otherFiles({ outcome, undisturbed: undisturbed.outcome }), ...left] };
}

type Counts = ReadonlyMap<string, number>;

/** How often each request came; some methods ask the same thing several times. */
function countsOf(requests: readonly ScriptedRequest[]): Counts {
  const counts = new Map<string, number>();
  for (const { digest } of requests) counts.set(digest, (counts.get(digest) ?? 0) + 1);
  return counts;
}

function otherFiles({ outcome, undisturbed }: { outcome: Outcome; undisturbed: Outcome }): readonly string[] {
  const paths = new Set([...Object.keys(outcome.files), ...Object.keys(undisturbed.files)]);
  const other = [...paths].filter((path) => outcome.files[path] !== undisturbed.files[path]);
  return other.length > 0 ? [`other files: ${other.join(', ')}`] : [];
}
