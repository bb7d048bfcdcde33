import { z } from 'zod';

const PHASE = z.object({
  k: z.literal('phase'),
  id: z.string(),
  when: z.enum(['setup', 'call', 'teardown']),
  outcome: z.enum(['passed', 'failed', 'skipped', 'rerun']),
  xfail: z.boolean(),
  sub: z.boolean(),
  ms: z.number(),
  message: z.string(),
});

const LINE = z.discriminatedUnion('k', [
  z.object({ k: z.literal('start'), python: z.string(), runner: z.string() }),
  z.object({ k: z.literal('collected'), ids: z.array(z.string()) }),
  z.object({
    k: z.literal('collect'),
    id: z.string(),
    outcome: z.enum(['failed', 'skipped']),
    message: z.string(),
  }),
  z.object({ k: z.literal('begin'), id: z.string() }),
  z.object({ k: z.literal('end'), id: z.string() }),
  PHASE,
  z.object({ k: z.literal('imports'), origins: z.record(z.string(), z.string()) }),
  z.object({ k: z.literal('broken'), message: z.string() }),
  z.object({ k: z.literal('finish'), status: z.number() }),
]);

/** One line of a record; what each means stands in `python/testgrad_record.py`. */
export type RecordLine = z.infer<typeof LINE>;
/** What a test did in one of its phases. */
export type PhaseLine = z.infer<typeof PHASE>;

/** Lines of a record. A line that is cut off or is none of ours is left out: the record ends where the process died. */
export function parseRecord(text: string): readonly RecordLine[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [LINE.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}
