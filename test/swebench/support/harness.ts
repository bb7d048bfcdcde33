import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { pythonWithPytest } from '../../support/python-venv.js';

const ORACLE = fileURLToPath(new URL('harness_oracle.py', import.meta.url));

/** The releases of the official harness that are compared with. */
const RELEASES = { v4: 'swebench==4.1.0', v5: 'swebench==5.0.2' } as const;

/** Interpreters that have the two releases, or why they could not be made. */
export type Harnesses =
  | { readonly kind: 'ready'; readonly v4: string; readonly v5: string }
  | { readonly kind: 'missing'; readonly reason: string };

/**
 * Makes (once; they are kept) an environment for each release. Where that is not possible the reason is printed, so
 * that a run says what it left out; with TESTGRAD_PARITY=require it is thrown instead.
 */
export async function harnesses(): Promise<Harnesses> {
  try {
    const make = (release: string) => pythonWithPytest({ requirements: ['--no-deps', release, 'unidiff==0.7.5'] });
    return { kind: 'ready', v4: await make(RELEASES.v4), v5: await make(RELEASES.v5) };
  } catch (error) {
    if (process.env.TESTGRAD_PARITY === 'require') throw error;
    const reason = (error as Error).message.split('\n')[0] ?? '';
    console.warn(`Skipped: the comparison with the official harness, whose packages cannot be installed (${reason}).`);
    return { kind: 'missing', reason };
  }
}

/** Answers of a release to jobs, in their order; see `harness_oracle.py`. */
export async function askHarness({
  python,
  jobs,
}: {
  python: string;
  jobs: readonly Record<string, unknown>[];
}): Promise<Record<string, unknown>[]> {
  const input = jobs.map((job) => `${JSON.stringify(job)}\n`).join('');
  const { stdout } = await execa(python, [ORACLE], {
    input,
    maxBuffer: 1024 ** 3,
    env: { PYTHONUTF8: '1' },
    reject: false,
  });
  if (stdout === '') throw new Error('the harness did not start');
  return stdout.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
}
