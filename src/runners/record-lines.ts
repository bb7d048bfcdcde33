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

/** The five lines of each of twenty thousand tests, and as many again; refusing bad lines takes time as well. */
const MAX_LINES = 200_000;

/**
 * Lines of a record, at most 200,000; `whole` is false when there were more. A line that is cut off or is none of ours
 * is left out: the record ends where the process died.
 */
export function parseRecord(text: string): { readonly lines: readonly RecordLine[]; readonly whole: boolean } {
  const lines: RecordLine[] = [];
  let start = 0;
  for (let count = 0; start < text.length; count += 1) {
    if (count === MAX_LINES) return { lines, whole: false };
    const lineBreak = text.indexOf('\n', start);
    const end = lineBreak === -1 ? text.length : lineBreak;
    const line = parseLine(text.slice(start, end));
    if (line !== null) lines.push(line);
    start = end + 1;
  }
  return { lines, whole: true };
}

function parseLine(text: string): RecordLine | null {
  try {
    return LINE.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
