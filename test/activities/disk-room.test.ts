import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { executeSuite } from '../../src/activities/execute-suite.js';
import { getJson } from '../../src/artifacts/values.js';
import type { CandidateOutcomes } from '../../src/core/outcome.js';
import { type ActivityBench, asActivity, openActivityBench, prepared } from '../support/activity-bench.js';

/** Fails its first executions for want of room, as many as are said; each leaves a character in a file outside. */
const fullFor = ({ executions, counts }: { executions: number; counts: string }): string => `import errno
import os
from pathlib import Path


def test_writes():
    count = Path("${counts}/full-for-${executions}")
    with count.open("a") as file:
        file.write("x")
    if count.stat().st_size <= ${executions}:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
`;

let bench: ActivityBench;
let counts: string;
beforeAll(async () => {
  counts = await mkdtemp(join(tmpdir(), 'testgrad-counts-'));
  const files = {
    'tests/test_briefly.py': fullFor({ executions: 1, counts }),
    'tests/test_always.py': fullFor({ executions: 100, counts }),
  };
  bench = await openActivityBench({ files });
});
afterAll(async () => {
  await bench.remove();
  await rm(counts, { recursive: true });
});

test('what a full disk may have done is executed once more when there is room again', async () => {
  const context = await bench.context({
    agents: ['right'],
    flags: { testFile: ['tests/test_slugs.py'] },
    // Nothing else lets a test count its executions outside of its throw-away folder.
    change: (instance) => ({
      ...instance,
      environment: { ...instance.environment, sandbox: 'none' },
    }),
  });
  const { prepared: ref, suite, columns } = await prepared({ bench, context });
  const [column] = columns;
  if (column === undefined) throw new Error('no column');
  const files = ['tests/test_briefly.py', 'tests/test_always.py'];
  const input = { ...context, prepared: ref, column, suite, files, rerun: 0 };
  const { outcomes } = await asActivity(() => executeSuite({ services: bench.services, input }));
  const executed = await getJson<CandidateOutcomes>({ store: bench.services.store, ref: outcomes });
  const statuses = executed.files.map(({ file, outcomes }) => [file, outcomes.map(({ status }) => status)]);
  expect(Object.fromEntries(statuses)).toEqual({ [files[0] ?? '']: ['passed'], [files[1] ?? '']: ['failed'] });
  const executions = (name: string): number => readFileSync(join(counts, name)).length;
  expect([executions('full-for-1'), executions('full-for-100')]).toEqual([2, 2]);
});
