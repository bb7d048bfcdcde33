import { z } from 'zod';

const count = z.int().nonnegative();
const runId = z.string().regex(/^[0-9a-f]{12}$/);
const schema = <Name extends string>(name: Name) => z.literal(`testgrad.${name}/1`);

export const APPLY = z.strictObject({
  schema: schema('apply'),
  run: runId,
  selected: z.string(),
  tree: z.string(),
  files: z.array(z.string()),
  testFiles: z.array(z.string()),
  replaced: z.array(z.string()),
  fits: z.enum(['yes', 'already']),
  applied: z.boolean(),
  notes: z.array(z.string()),
  diff: z.string().optional().describe('with --preview only'),
});

export const CANCEL = z.strictObject({ schema: schema('cancel'), run: runId, ended: z.boolean() });
export const PAUSE = z.strictObject({ schema: schema('pause'), run: runId, paused: z.literal(true) });
export const RESUME = z.strictObject({
  schema: schema('resume'),
  run: runId,
  paused: z.literal(false),
  width: count.nullable(),
});

export const STACK = z.union([
  z.strictObject({
    schema: schema('stack'),
    server: z.string(),
    namespace: z.string(),
    local: z.boolean(),
    ui: z.string().nullable(),
    taskQueue: z.string().nullable(),
  }),
  z.strictObject({ schema: schema('stack'), stopped: z.strictObject({ workers: count, server: z.boolean() }) }),
]);

export const DOCTOR = z.strictObject({
  schema: schema('doctor'),
  ok: z.boolean(),
  checks: z.array(
    z.strictObject({
      name: z.string(),
      state: z.enum(['ok', 'warn', 'fail']),
      says: z.string(),
      fix: z.string(),
      code: z.string().nullable(),
    }),
  ),
});

export const CONFIG_SHOW = z.strictObject({
  schema: schema('config-show'),
  file: z.string().nullable(),
  settings: z.array(
    z.strictObject({
      key: z.string(),
      value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()]),
      source: z.string(),
    }),
  ),
});

export const INIT = z.strictObject({
  schema: schema('init'),
  file: z.string(),
  found: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
});

export const CLEAN = z.strictObject({
  schema: schema('clean'),
  removed: z.boolean(),
  bytes: count,
  items: z.array(
    z.strictObject({
      kind: z.enum(['run', 'tree', 'copy', 'cache', 'container', 'image']),
      path: z.string(),
      name: z.string(),
      bytes: count,
      reason: z.string(),
      problem: z.string().nullable(),
    }),
  ),
});

const explained = {
  code: z.string(),
  title: z.string(),
  exitCode: count,
  retried: z.boolean(),
  explanation: z.string(),
};

export const ERROR = z.strictObject({ schema: schema('error'), ...explained });
export const ERRORS = z.strictObject({ schema: schema('errors'), errors: z.array(z.strictObject(explained)) });

export const VIEW = z.strictObject({ schema: schema('view'), url: z.string(), port: count });

export const REPORT = z.looseObject({
  schema: schema('report'),
  run: z.string(),
  folder: z.string().nullable(),
  format: z.string(),
  file: z.string().nullable(),
  markdown: z.string(),
});

/** Tables of a benchmark as its report shows them; they grow with the report. */
const tables = z.looseObject({}).nullable();

export const BENCH = z.looseObject({
  schema: schema('bench'),
  run: z.looseObject({ id: runId, workflow: z.string(), folder: z.string().nullable(), ui: z.string().nullable() }),
  outcome: z.enum(['finished', 'incomplete', 'running']),
  runs: z.looseObject({ finished: count, errors: count, missing: count }).optional(),
  fallbacks: count.optional(),
  report: tables.optional(),
});

export const DRY_RUN = z.looseObject({
  schema: schema('dry-run'),
  instances: count,
  agents: count,
  width: count,
  images: count,
});

export const COMPARE = z.looseObject({
  schema: schema('compare'),
  runs: z.array(runId),
  instances: count,
  alone: z.looseObject({ left: count, right: count }),
  report: tables,
});
