import { z } from 'zod';

/** Text that a model, a test or a patch wrote: null unless --content asked for it. */
const content = z.string().nullable().describe('null without --content');

const count = z.int().nonnegative();
const digest = z.string().regex(/^[0-9a-f]{64}$/);
const runId = z.string().regex(/^[0-9a-f]{12}$/);
const ref = z.strictObject({ digest, bytes: count, mediaType: z.string() });
const names = z.array(z.string());

const usage = z.strictObject({
  calls: count,
  inputTokens: count,
  cachedTokens: count,
  outputTokens: count,
  usd: z.number().nullable().describe('US dollars; null where the price is not known'),
  possibleDuplicates: count,
  drifted: count,
});

const candidate = z.union([
  z.strictObject({
    kind: z.literal('usable'),
    id: z.string(),
    agent: z.string(),
    label: z.string(),
    treeId: z.string(),
    sameAs: z.string().describe('id of the first candidate with the same tree'),
    sourcePatch: ref,
    changedFiles: names,
    setAside: names,
    counts: z.strictObject({ changedFiles: count, setAside: count }).optional(),
    added: count,
    removed: count,
  }),
  z.strictObject({
    kind: z.literal('excluded'),
    id: z.string(),
    agent: z.string(),
    reason: z.enum(['empty', 'malformed', 'does-not-apply', 'tests-only', 'binary-only']),
    detail: content,
  }),
]);

const rowClass = z.enum(['issue', 'regression', 'convention', 'stale', 'incidental']);
const origin = z.enum(['original', 'created', 'updated']);
const bit = z.union([z.literal(0), z.literal(1)]);

const step = z.strictObject({
  step: count,
  operations: names,
  diagnosis: content,
  failedDirection: content,
  loss: bit,
  leaderLoss: bit,
  leaders: names,
  differential: count,
  evidence: count,
  executedFiles: count,
  reusedFiles: count,
  momentumTokens: count,
  rawMemoryTokens: count,
  refusals: names.nullable().describe('null without --content'),
  durationMs: z.number().optional(),
});

const decision = z.strictObject({
  schema: z.literal('testgrad.decision/1'),
  runId,
  instance: z.string(),
  kind: z.enum(['differential', 'equivalent', 'single', 'fallback', 'none-acceptable', 'no-candidate']),
  selected: z.string().nullable(),
  selectedId: z.string().nullable(),
  decidingTests: z.array(
    z.strictObject({
      testId: z.string(),
      origin,
      step: count,
      class: z.union([rowClass, z.literal('unjudged')]),
      quote: content,
    }),
  ),
  reason: content,
  chosenBy: z.enum(['checker', 'rule']),
  candidates: z.array(candidate),
  leaders: names,
  steps: z.array(step),
  ended: z.enum(['separated', 'equal', 'steps', 'tokens', 'stopped', 'not-needed']),
  usage: z.array(z.strictObject({ role: z.enum(['optimizer', 'judge', 'checker', 'selector']), step: count, usage })),
  warnings: names.nullable().describe('null without --content'),
  artifacts: z.strictObject({ instance: digest, suite: digest.nullable(), matrix: digest.nullable() }),
});

const run = {
  id: runId,
  workflow: z.string(),
  ui: z.string().nullable().describe("address in Temporal's pages"),
};

/** A run that goes on without the command. */
const detached = {
  run: z.strictObject({ ...run, folder: z.null() }),
  outcome: z.literal('running'),
  selected: z.null(),
};

export const SELECT = z.union([
  z.strictObject({
    schema: z.literal('testgrad.select/1'),
    run: z.strictObject({ ...run, folder: z.string().nullable() }),
    outcome: decision.shape.kind,
    selected: z.string().nullable(),
    decision,
  }),
  z.strictObject({ schema: z.literal('testgrad.select/1'), ...detached }),
]);

const cell = z.strictObject({
  status: z.enum(['passed', 'failed', 'error', 'skipped', 'xfailed', 'missing', 'timeout', 'infra']),
  phase: z.enum(['collect', 'setup', 'call', 'teardown']),
  message: content,
  reruns: names,
});

const matrix = z.strictObject({
  schema: z.literal('testgrad.matrix/1'),
  step: count,
  candidates: names,
  rows: z.array(
    z.strictObject({
      testId: z.string(),
      origin,
      step: count,
      kind: z.enum(['uniform', 'differential', 'unconfirmed', 'flaky', 'weak']),
      cells: z.record(z.string(), cell),
      base: cell,
      judgement: z.strictObject({ class: rowClass, quote: content, reason: content }).nullable(),
    }),
  ),
});

export const MATRIX_RUN = z.strictObject({
  schema: z.literal('testgrad.matrix-run/1'),
  run: z.strictObject(run),
  outcome: z.enum(['separated', 'not-separated']),
  counts: z.strictObject({
    rows: count,
    uniform: count,
    differential: count,
    flaky: count,
    weak: count,
    evidence: count,
  }),
  candidates: z.array(candidate),
  matrix,
  warnings: names.nullable().describe('null without --content'),
});

/** A matrix run that goes on without the command. */
export const MATRIX_DETACHED = z.strictObject({ schema: z.literal('testgrad.matrix/1'), ...detached });

export const STATUS = z.strictObject({
  schema: z.literal('testgrad.status/1'),
  runs: z.array(
    z.strictObject({
      runId,
      kind: z.enum(['select', 'matrix', 'bench']),
      name: z.string(),
      state: z.enum(['finished', 'running', 'failed', 'cancelled', 'unknown']),
      startedAt: z.iso.datetime(),
      ended: z.strictObject({ finished: count, errors: count }).nullable(),
      selected: z.string().nullable(),
      tokens: count.nullable(),
      usd: z.number().nullable(),
      outcome: decision.shape.kind.nullable(),
      // One run at length.
      progress: z.looseObject({}).nullable().optional().describe('the answer of its query progress'),
      trouble: z.string().nullable().optional(),
      served: z.boolean().optional(),
      taskQueue: z.string().optional(),
      ui: z.string().nullable().optional(),
    }),
  ),
});

const agentOutcome = z.strictObject({
  candidate: z.string(),
  agent: z.string(),
  outcome: z.string(),
  message: content,
});

/** A step, test or candidate of `show RUN/PART`. */
export const SHOW_PART = z.discriminatedUnion('part', [
  z.looseObject({
    schema: z.literal('testgrad.show-part/1'),
    run: runId,
    part: z.literal('step'),
    step: z.looseObject({ step: count, loss: bit, diagnosis: content, failedDirection: content, tokens: count }),
  }),
  z.looseObject({
    schema: z.literal('testgrad.show-part/1'),
    run: runId,
    part: z.literal('candidate'),
    candidate: z.looseObject({ id: z.string(), agent: z.string(), selected: z.boolean(), note: content }),
  }),
  z.looseObject({
    schema: z.literal('testgrad.show-part/1'),
    run: runId,
    part: z.literal('test'),
    test: z.looseObject({ testId: z.string(), quote: content, reason: content, outcomes: z.array(agentOutcome) }),
  }),
]);

/** What `show RUN/INSTANCE` says of an instance of a benchmark. */
export const SHOW_INSTANCE = z.strictObject({
  schema: z.literal('testgrad.show-instance/1'),
  run: runId.describe('the benchmark'),
  instance: z.string(),
  method: z.string().describe('the one whose selection is shown'),
  n: count.describe('how many of the agents, in their order'),
  item: runId.nullable().describe('the run that answers; null where the candidates answer by themselves'),
  decision: decision.nullable().describe('null for methods other than TestGRAD, and where there is none'),
  methods: z
    .array(
      z.strictObject({
        method: z.string(),
        n: count,
        item: runId.nullable(),
        decidedBy: z.string().nullable().describe('null while it has not ended'),
        selected: z.string().nullable(),
        result: z.enum(['resolved', 'unresolved', 'unknown']).nullable().describe('null where none was selected'),
        steps: count,
        tokens: count,
        reason: content,
        error: z.strictObject({ code: z.string(), message: content }).nullable(),
      }),
    )
    .describe('how every method ended on it, with every number of agents'),
});

const common = { schema: z.literal('testgrad.event/1'), at: z.iso.datetime() };

/** One line of --events. */
export const EVENT = z.discriminatedUnion('event', [
  z.strictObject({
    ...common,
    event: z.literal('launch').describe('always the first: a run was accepted'),
    kind: z.string(),
    run: runId,
    workflow: z.string(),
    ui: z.string().nullable(),
    attached: z.boolean(),
  }),
  z.strictObject({ ...common, event: z.literal('step'), step: count, steps: count, failedUpdates: count }),
  z.strictObject({
    ...common,
    event: z.literal('phase'),
    phase: z.string(),
    step: count,
    turn: count,
    paused: z.boolean(),
  }),
  z.strictObject({
    ...common,
    event: z.literal('matrix'),
    rows: count,
    differential: count,
    evidence: count,
    flaky: count,
    leaders: names,
    executedFiles: count,
    reusedFiles: count,
  }),
  z.strictObject({
    ...common,
    event: z.literal('usage'),
    tokens: count,
    usd: z.number().nullable(),
    possibleDuplicates: count,
  }),
  z.strictObject({
    ...common,
    event: z.literal('trouble').describe('something failed and is tried again'),
    code: z.string().nullable(),
    text: content,
  }),
  z.strictObject({
    ...common,
    event: z.literal('outcome'),
    document: z.looseObject({ schema: z.string() }).describe('the document that --json prints'),
  }),
  z.strictObject({ ...common, event: z.literal('error'), code: z.string(), title: z.string(), text: content }),
  z.strictObject({ ...common, event: z.literal('done').describe('always the last'), exitCode: count }),
]);
