import type { DecidedBy, InstanceRecord, RecordedCandidate } from '../../src/core/metrics/record.js';

const AGENTS = ['livesweagent', 'sonar', 'trae', 'openhands'];
const REPOSITORIES = ['django__django', 'sympy__sympy', 'sphinx-doc__sphinx', 'astropy__astropy', 'pytest-dev__pytest'];
const RATES = [0.79, 0.78, 0.75, 0.72];

/** Numbers from 0 to 1 that are the same in each run. Source: Mulberry32. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** How TestGRAD may decide, with how often. */
const DECIDED: readonly (readonly [DecidedBy, number])[] = [
  ['existing-test', 0.14],
  ['created-test', 0.6],
  ['updated-test', 0.72],
  ['equivalent', 0.84],
  ['fallback', 0.94],
  ['nothing', 0.96],
  ['error', 1],
];

/**
 * Records of a benchmark as it might come out, with errors, fallbacks, patches that are missing or that nobody graded:
 * TestGRAD for one to four agents and a judge for four. The same for the same number of instances.
 */
export function benchmarkRecords(instances: number): InstanceRecord[] {
  const next = numbers(7);
  return Array.from({ length: instances }, (_, index) => {
    const instanceId = `${REPOSITORIES[index % REPOSITORIES.length]}-${11_000 + index}`;
    const hard = next();
    const candidates = AGENTS.map((agent, place): RecordedCandidate => {
      const missing = next() < 0.02;
      const ungraded = next() < 0.01;
      const right = 0.6 * hard + 0.4 * next() < (RATES[place] ?? 0);
      const resolution = missing ? 'unresolved' : ungraded ? 'unknown' : right ? 'resolved' : 'unresolved';
      return { agent, state: missing ? 'missing' : next() < 0.02 ? 'excluded' : 'usable', resolution };
    });
    const sizes = [1, 2, 3, 4].map((n) =>
      recordOf({ instanceId, method: 'testgrad', candidates: candidates.slice(0, n), next }),
    );
    return [...sizes, recordOf({ instanceId, method: 'augment', candidates, next })];
  }).flat();
}

function recordOf({
  instanceId,
  method,
  candidates,
  next,
}: {
  instanceId: string;
  method: string;
  candidates: readonly RecordedCandidate[];
  next: () => number;
}): InstanceRecord {
  const roll = next();
  const judged: DecidedBy = roll > 0.97 ? 'error' : 'judge';
  const decidedBy = method === 'augment' ? judged : (DECIDED.find(([, upTo]) => roll < upTo)?.[0] ?? 'created-test');
  const byTest = decidedBy.endsWith('-test');
  const right = candidates.findIndex(({ resolution }) => resolution === 'resolved');
  const wrong = candidates.findIndex(({ resolution }) => resolution === 'unresolved');
  const lucky = next() < (byTest ? 0.93 : 0.6);
  const place = lucky && right !== -1 ? right : Math.floor(next() * candidates.length);
  const chosen = decidedBy === 'error' || decidedBy === 'nothing' ? null : place;
  const steps = method === 'augment' ? 0 : Math.floor(next() * 9);
  const tokens = method === 'augment' ? 2_800 : 60_000 + Math.floor(next() * 900_000);
  return {
    schema: 'testgrad.instance-record/1',
    instanceId,
    method,
    chosen,
    among: [],
    decidedBy,
    steps,
    usage: {
      ...{ calls: steps * 3 + 1, inputTokens: tokens, cachedTokens: 0, outputTokens: Math.floor(tokens / 20) },
      ...{ usd: tokens / 3_000_000, possibleDuplicates: 0, drifted: 0 },
    },
    durations: { wallMs: 60_000 + Math.floor(next() * 1_800_000), modelMs: null, executionMs: null },
    separations:
      !byTest || right === -1 || wrong === -1
        ? []
        : [
            {
              ...{ testId: `tests/test_${instanceId.length}.py::TestIssue::test_case_${Math.floor(next() * 90)}` },
              ...{ origin: decidedBy === 'existing-test' ? 'original' : 'created', class: 'issue' },
              ...{ step: decidedBy === 'existing-test' ? 0 : Math.max(1, steps), passed: [right], failed: [wrong] },
              deciding: true,
            },
          ],
    memory: Array.from({ length: steps }, (_, index) => ({
      ...{ step: index + 1, momentumTokens: 40 + 18 * index, rawTokens: 900 + 2_300 * index },
    })),
    candidates,
  };
}
