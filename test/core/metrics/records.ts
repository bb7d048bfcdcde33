import type { InstanceRecord, RecordedCandidate, Resolution } from '../../../src/core/metrics/record.js';
import { NO_USAGE } from '../../../src/core/usage.js';

const RESOLUTIONS: Readonly<Record<string, Resolution>> = { y: 'resolved', n: 'unresolved', '?': 'unknown' };

/** Candidates of one instance, a letter each: `y` right, `n` wrong, `?` not graded. Agents are a1, a2, … */
export const candidatesOf = (letters: string): RecordedCandidate[] =>
  [...letters].map((letter, index) => ({
    agent: `a${index + 1}`,
    state: 'usable',
    resolution: RESOLUTIONS[letter] as Resolution,
  }));

/** A record of method `m`, with what matters to a test. */
export function recordOf({
  instanceId,
  letters,
  chosen = 0,
  ...others
}: { instanceId: string; letters: string; chosen?: number | null } & Partial<InstanceRecord>): InstanceRecord {
  return {
    schema: 'testgrad.instance-record/1',
    instanceId,
    method: 'm',
    chosen,
    among: [],
    decidedBy: 'created-test',
    steps: 1,
    usage: NO_USAGE,
    durations: { wallMs: 60_000, modelMs: null, executionMs: null },
    separations: [],
    memory: [],
    candidates: candidatesOf(letters),
    ...others,
  };
}
