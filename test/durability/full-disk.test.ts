import { statfsSync } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import { totalUsage } from '../../src/core/usage.js';
import { buildCli } from '../support/built-cli.js';
import { meaningOf } from '../support/decisions.js';
import { type DurablePlace, makePlace } from '../support/durable-place.js';
import { watchExecutions } from '../support/executions.js';
import { activityCounts } from '../support/histories.js';
import { type MiniProject, makeMiniProject } from '../support/mini-project.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { tracesOf, withoutCounts } from '../support/run-traces.js';
import type { Script } from '../support/scripted-model.js';
import { MINI_UPDATES, scriptedRun } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { until } from '../support/until.js';

let server: TestServer;
let dir: string;
let project: MiniProject;
const ends: (() => Promise<unknown>)[] = [];

/** A test that needs room on the disk, and waits on a candidate as long as there is a file `hold`. */
const needsRoom = (hold: string): string => `import time
from pathlib import Path

from slugs import slugify


def test_writes(tmp_path):
    until = time.monotonic() + 60
    is_base = slugify("hello world", max_length=8) == "hello-wo"
    while not is_base and Path("${hold}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    (tmp_path / "file").write_bytes(b"x" * 200_000)
`;

beforeAll(async () => {
  await buildCli();
  server = await startTestServer();
  dir = await mkdtemp(join(tmpdir(), 'testgrad-disk-'));
  project = await makeMiniProject({ dir, files: { 'tests/test_room.py': needsRoom(join(dir, 'hold')) } });
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await rm(dir, { recursive: true, force: true });
  await server?.stop();
});

const script = scriptedRun({ updates: MINI_UPDATES.slice(2) });

async function openPlace({ name, script: own }: { name: string; script: Script }): Promise<DurablePlace> {
  const files = ['tests/test_slugs.py', 'tests/test_room.py'];
  const wish = { name, script: own, files, settings: { steps: 1 }, sandbox: 'none' as const, built: true };
  return makePlace({ ...wish, server, dir, project, python: await pythonWithPytest(), ends });
}

/** Leaves no byte on the disk of `home`; the result makes room again. */
async function fill(home: string): Promise<() => Promise<void>> {
  const path = join(home, 'filler');
  const file = await open(path, 'w');
  try {
    // The last blocks in small pieces, so that none stays free.
    for (const bytes of [Buffer.alloc(256 * 1024), Buffer.alloc(4096)])
      await expect(fillWith({ file, bytes })).rejects.toMatchObject({ code: 'ENOSPC' });
  } finally {
    await file.close();
  }
  return () => rm(path);
}

async function fillWith({ file, bytes }: { file: FileHandle; bytes: Buffer }): Promise<never> {
  for (;;) await file.write(bytes);
}

/** Waits until an activity that goes on has said something like that to the person who looks. */
const told = ({ handle, what }: { handle: WorkflowHandle; what: RegExp }): Promise<void> =>
  until({
    what: String(what),
    done: async () => {
      const { raw } = await handle.describe();
      return (raw.pendingActivities ?? []).some(({ lastFailure }) => what.test(lastFailure?.message ?? ''));
    },
  });

test('a full disk is told, held against nobody, and the run goes on when there is room', async (context) => {
  const home = join(dir, 'small');
  await mkdir(home);
  const mounted = await execa('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', home], { reject: false });
  if (mounted.failed) {
    console.warn('SKIPPED: only root may mount the small disk that this needs.');
    return context.skip();
  }
  ends.push(() => execa('umount', ['--lazy', home]));

  let answer = (): void => undefined;
  const isFull = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const place = await openPlace({
    name: 'small',
    script: async (request, n) => {
      if (n === 1) await isFull;
      return script(request, n);
    },
  });
  const hold = join(dir, 'hold');
  await writeFile(hold, '');
  await place.startWorker();
  const handle = await place.startRun();

  // The base's files are executed by the preparation.
  const watch = watchExecutions({ home });
  ends.push(async () => watch.end());
  const inSuite = async (): Promise<boolean> => (activityCounts(await handle.fetchHistory()).executeSuite ?? 0) > 0;
  await until({ what: 'the forward pass', done: inSuite });
  const runsNow = (): boolean => watch.running().some((key) => key.endsWith('tests/test_room.py'));
  await until({ what: "a candidate's test file", done: runsNow });
  let makeRoom = await fill(home);
  await rm(hold);
  await told({ handle, what: /^TG-E03 No space left in .*, where tests\/test_room.py ran.*Free some space/ });
  await makeRoom();

  // An answer of the model that cannot be stored.
  await until({ what: 'the first request', done: () => place.model.requests.length > 0 });
  makeRoom = await fill(home);
  answer();
  await told({ handle, what: /^TG-E03 No space left for the store/ });
  // Nothing is asked while what would be said of it cannot be written down.
  expect(place.model.requests.length).toBe(1);
  expect(statfsSync(home).bavail).toBe(0);
  await makeRoom();

  const decision = (await handle.result()) as Decision;
  const plainPlace = await openPlace({ name: 'large', script });
  await plainPlace.startWorker();
  const plain = (await (await plainPlace.startRun()).result()) as Decision;
  expect(meaningOf(decision)).toEqual(meaningOf(plain));
  const [small, large] = await Promise.all(
    [place, plainPlace].map(({ input }) => tracesOf({ dir, name: input.taskQueue, runId: input.runId })),
  );
  expect(withoutCounts(small?.folder ?? {})).toEqual(withoutCounts(large?.folder ?? {}));
  // The one answer was lost, and paid for twice.
  expect(totalUsage(decision.usage)).toMatchObject({ calls: 4, possibleDuplicates: 1 });
  expect(place.model.requests.length).toBe(5);
}, 240_000);
