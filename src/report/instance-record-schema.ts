import { z } from 'zod';
import { DECIDED_BY, type InstanceRecord } from '../core/metrics/record.js';

const indices = z.array(z.int().nonnegative());

/** What a line of a file of instance records must hold; unknown fields are refused, as a typing error would go unseen. */
const instanceRecord = z.strictObject({
  schema: z.literal('testgrad.instance-record/1'),
  instanceId: z.string().min(1),
  method: z.string().min(1),
  chosen: z.int().nonnegative().nullable(),
  among: indices,
  decidedBy: z.enum(DECIDED_BY),
  steps: z.int().nonnegative(),
  usage: z.strictObject({
    calls: z.number(),
    inputTokens: z.number(),
    cachedTokens: z.number(),
    outputTokens: z.number(),
    usd: z.number().nullable(),
    possibleDuplicates: z.number(),
    drifted: z.number(),
  }),
  durations: z.strictObject({
    wallMs: z.number().nonnegative(),
    modelMs: z.number().nonnegative().nullable(),
    executionMs: z.number().nonnegative().nullable(),
  }),
  separations: z.array(
    z.strictObject({
      testId: z.string(),
      origin: z.enum(['original', 'created', 'updated']),
      class: z.enum(['issue', 'regression', 'convention', 'stale', 'incidental', 'unjudged']),
      step: z.int().nonnegative(),
      passed: indices,
      failed: indices,
      deciding: z.boolean(),
    }),
  ),
  memory: z.array(
    z.strictObject({
      step: z.int().nonnegative(),
      momentumTokens: z.number().nonnegative(),
      rawTokens: z.number().nonnegative(),
    }),
  ),
  candidates: z.array(
    z.strictObject({
      agent: z.string(),
      state: z.enum(['usable', 'excluded', 'missing']),
      resolution: z.enum(['resolved', 'unresolved', 'unknown']),
    }),
  ),
});

/** An instance record, or why a value is none. Indices that no candidate has are refused. */
export function readInstanceRecord(
  value: unknown,
):
  | { readonly kind: 'record'; readonly record: InstanceRecord }
  | { readonly kind: 'problem'; readonly problem: string } {
  const parsed = instanceRecord.safeParse(value);
  if (!parsed.success) return { kind: 'problem', problem: z.prettifyError(parsed.error) };
  const record: InstanceRecord = parsed.data;
  const used = [
    ...(record.chosen === null ? [] : [record.chosen]),
    ...record.among,
    ...record.separations.flatMap(({ passed, failed }) => [...passed, ...failed]),
  ];
  const beyond = used.find((index) => index >= record.candidates.length);
  return beyond === undefined
    ? { kind: 'record', record }
    : { kind: 'problem', problem: `there is no candidate ${beyond} of ${record.candidates.length}` };
}
