import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildStandIn, RELEASES } from '../../scripts/stand-in-images.mjs';
import { applyCandidate } from '../../src/repository/apply-candidate.js';
import { materialise } from '../../src/repository/materialise.js';
import { openScratch } from '../../src/repository/scratch.js';
import { planFile, recorderDir } from '../../src/runners/plan.js';
import { readRecord } from '../../src/runners/read-record.js';
import { readRecordFile } from '../../src/runners/record-file.js';
import { readImageBase } from '../../src/sandbox/docker-base.js';
import { connectDocker } from '../../src/sandbox/docker-daemon.js';
import { imageNames } from '../../src/sandbox/docker-names.js';
import { ensureImage } from '../../src/sandbox/docker-pull.js';
import { openSession } from '../../src/sandbox/docker-session.js';
import { ensureSnapshot } from '../../src/sandbox/docker-snapshot.js';
import { runInSandbox } from '../../src/sandbox/sandbox.js';
import { LIMITS, ownerOf } from './containers.js';

const RUN = 'stand-ins';
const BUILD_MS = 900_000;
const limits = { ...LIMITS, timeoutMs: 120_000, memoryBytes: 2 * 1024 ** 3, maxOutputBytes: 4 * 1024 ** 2 };
const python = '/opt/miniconda3/envs/testbed/bin/python';
const snapshots: string[] = [];
let dir = '';

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-stand-ins-'));
});
afterAll(async () => {
  const docker = await connectDocker();
  for (const id of snapshots) await docker.getImage(id).remove({ force: true });
  await rm(dir, { recursive: true, force: true });
});

/** The official eval script in its parts that matter here: strict mode, activation, markers by tracing. */
const evalScript = (command: string): string => `#!/bin/bash
set -uxo pipefail
source /opt/miniconda3/bin/activate
conda activate testbed
cd /testbed
git config --global --add safe.directory /testbed
git status
git show --stat
: '>>>>> Start Test Output'
${command}
: '>>>>> End Test Output'
`;

const COMMANDS = [
  { family: 'flask', command: 'pytest -rA tests/test_signals.py', says: /^PASSED tests\/test_signals\.py::/m },
  {
    family: 'django',
    command: './tests/runtests.py --verbosity 2 --settings=test_sqlite --parallel 1 utils_tests.test_text',
    says: /^test_slugify \(utils_tests\.test_text\.TestUtilsText.*\) \.\.\. ok$/m,
  },
  { family: 'sympy', command: 'bin/test -C --verbose sympy/core/tests/test_singleton.py', says: /^test_\w+ ok$/m },
] as const;

it.each(COMMANDS)(
  '$family: an official eval script runs in its image, outputs in one order',
  { timeout: BUILD_MS },
  async ({ family, command, says }) => {
    const row = await buildStandIn(RELEASES[family]);
    const image = await ensureImage({ names: imageNames({ instanceId: row.instance_id, image: row.image }) });
    const owner = ownerOf(RUN);
    const base = await readImageBase({ image: image.id, mountAt: '/testbed', owner });
    expect(base).toMatchObject({ imageId: image.id, parent: row.base_commit, hidden: '' });

    const session = await openSession({
      image: image.id,
      workingDir: '/testbed',
      limits,
      lifetimeMs: limits.timeoutMs,
      owner,
    });
    try {
      const script = evalScript(command);
      await session.put([{ kind: 'file', path: '/eval.sh', content: Buffer.from(script), mode: 0o755 }]);
      const { exit, stdout, stderr } = await session.run({ argv: ['/bin/bash', '/eval.sh'], merged: true });
      expect(exit).toEqual({ kind: 'exited', code: 0 });
      expect(stderr).toBe('');
      const start = stdout.indexOf("+ : '>>>>> Start Test Output'");
      const end = stdout.indexOf("+ : '>>>>> End Test Output'");
      expect(start).toBeGreaterThan(0);
      expect(stdout.slice(start, end)).toMatch(says);
    } finally {
      await session.close();
    }
  },
);

const PATCH = `--- a/src/flask/helpers.py
+++ b/src/flask/helpers.py
@@ -1,3 +1,4 @@
 from __future__ import annotations
 
+raise RuntimeError("broken by the candidate")
 import importlib.util
`;

it('runs one test file on the base and on a candidate, as a selection does', { timeout: BUILD_MS }, async () => {
  const row = await buildStandIn(RELEASES.flask);
  const owner = ownerOf(RUN);
  const base = await readImageBase({ image: row.image, mountAt: '/testbed', owner });
  const scratch = await openScratch({ bundle: base.bundle, dir: join(dir, 'scratch'), treeId: base.treeId });
  const applied = await applyCandidate({ scratch, baseTreeId: base.treeId, patch: Buffer.from(PATCH) });
  if (applied.kind !== 'usable') throw new Error(applied.detail);

  const outcomeOf = async (treeId: string) => {
    const treeDir = join(dir, treeId);
    const scratchDir = join(dir, `${treeId}-out`);
    await mkdir(scratchDir);
    await materialise({ scratch, treeId, dir: treeDir });
    const snapshot = await ensureSnapshot({
      image: base.imageId,
      treeDir,
      mountAt: '/testbed',
      setUp: null,
      limits,
      owner,
    });
    if (snapshot.kind !== 'ready') throw new Error('there is no set-up');
    if (snapshot.created) snapshots.push(snapshot.imageId);
    await writeFile(
      join(treeDir, 'tests/test_ours.py'),
      'def test_ours():\n    import flask\n\n    assert flask.Flask("x")\n',
    );
    const environment = {
      python,
      pythonVersion: '3.11',
      digest: base.imageId,
      testCommand: ['python', '-m', 'pytest', '-q'],
      runner: 'pytest',
      runnerVersion: 'pytest 7.4.4',
      setupCommand: [],
      pythonPath: [],
      sandbox: 'docker',
      image: base.imageId,
      limits,
    } as const;
    const file = 'tests/test_ours.py';
    const outputFile = join(scratchDir, 'record.jsonl');
    const plan = planFile({
      environment,
      file,
      mode: 'run',
      root: '/testbed',
      recorderDir: recorderDir(),
      outputFile,
      probeModules: ['flask'],
      seed: 0,
    });
    const result = await runInSandbox({
      kind: 'docker',
      docker: { image: snapshot.imageId },
      treeDir,
      mountAt: '/testbed',
      ...plan,
      readOnlyPaths: [recorderDir()],
      scratchDir,
      limits,
      owner,
    });
    return readRecord({ ...(await readRecordFile({ path: outputFile })), file, result, root: '/testbed' });
  };

  const onBase = await outcomeOf(base.treeId);
  expect(onBase).toMatchObject({
    state: 'ran',
    outcomes: [{ testId: 'tests/test_ours.py::test_ours', status: 'passed' }],
  });
  expect(onBase.imports).toMatchObject({ flask: expect.stringContaining('src/flask') });
  const onCandidate = await outcomeOf(applied.treeId);
  expect(onCandidate).toMatchObject({ outcomes: [] });
  expect(onCandidate.reason).toContain('broken by the candidate');
});
