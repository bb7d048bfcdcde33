import { type ErrorCode, TestgradError } from '../../errors.js';

/** How one thing that a run needs was found. */
export interface Found {
  readonly state: 'ok' | 'warn' | 'fail';
  /** What was found, on one line. */
  readonly says: string;
  /** What to do about a warn or a fail; empty for ok. */
  readonly fix: string;
  /** The code that a run would end with; null where it would not. */
  readonly code: ErrorCode | null;
}

/** {@link Found} with the name of what was looked at. */
export interface Check extends Found {
  readonly name: string;
}

/** One thing to look at. */
export interface Question {
  readonly name: string;
  readonly look: () => Promise<Found>;
}

/** A check must not keep the others waiting; all of them end within five seconds. */
const LIMIT_MS = 4_300;

export const ok = (says: string): Found => ({ state: 'ok', says, fix: '', code: null });

export const warn = ({ says, fix, code = null }: { says: string; fix: string; code?: ErrorCode | null }): Found => ({
  state: 'warn',
  says,
  fix,
  code,
});

/** What an error of ours says, as `fail`, or as `warn` where a run can do without. */
export function problem({ error, state }: { error: unknown; state: 'warn' | 'fail' }): Found {
  if (error instanceof TestgradError) return { state, says: error.what, fix: error.fix, code: error.code };
  return { state, says: String((error as Error).message ?? error), fix: '', code: 'TG-X01' };
}

/** Looks at everything at the same time; what does not answer in time is a warning. Never rejects. */
export async function askAll({
  questions,
  limitMs = LIMIT_MS,
}: {
  questions: readonly Question[];
  limitMs?: number;
}): Promise<Check[]> {
  return Promise.all(
    questions.map(async ({ name, look }) => {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<Found>((resolve) => {
        timer = setTimeout(
          () =>
            resolve(warn({ says: `no answer within ${limitMs / 1000} s`, fix: 'Try again when less is going on.' })),
          limitMs,
        );
      });
      const found = look().catch((error: unknown) => problem({ error, state: 'fail' }));
      const first = await Promise.race([found, late]);
      clearTimeout(timer);
      return { name, ...first };
    }),
  );
}
