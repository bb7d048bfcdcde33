import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestEnvironment } from '../../src/core/instance.js';
import type { FileOutcome } from '../../src/core/outcome.js';
import { planFile, recorderDir } from '../../src/runners/plan.js';
import { describePython, runnerVersionOf } from '../../src/runners/python-environment.js';
import { readRecord } from '../../src/runners/read-record.js';
import { parseTestCommand } from '../../src/runners/test-command.js';
import type { SandboxKind } from '../../src/sandbox/sandbox.js';
import { rootInside } from '../../src/sandbox/sandbox.js';
import type { Playground } from './sandboxes.js';

/** Writes files into a folder, by relative path. */
export async function writeFiles({ dir, files }: { dir: string; files: Readonly<Record<string, string>> }) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text);
  }
}

/** Runs one test file of a playground the way the product does: command, plan, sandbox, record, outcome. */
export async function runTestFile({
  ground,
  kind,
  python,
  file,
  command = 'python -m pytest',
  mode = 'run',
  timeoutMs = 30_000,
  pythonPath = [],
  probeModules = [],
  seed = 0,
  tests = [],
}: {
  ground: Playground;
  kind: SandboxKind;
  python: string;
  file: string;
  command?: string;
  mode?: 'run' | 'collect';
  timeoutMs?: number;
  pythonPath?: readonly string[];
  probeModules?: readonly string[];
  seed?: number;
  tests?: readonly string[];
}): Promise<FileOutcome & { readonly stdout: string; readonly stderr: string }> {
  const description = await describePython({ python, cwd: ground.mountAt });
  const { testCommand, runner } = parseTestCommand({ command, python });
  const limits = { timeoutMs, memoryBytes: 2 * 1024 ** 3, maxProcesses: 64 };
  const environment: TestEnvironment = {
    python,
    pythonVersion: description.version,
    digest: description.digest,
    testCommand,
    runner,
    runnerVersion: runnerVersionOf({ runner, testCommand, description }),
    setupCommand: [],
    pythonPath,
    sandbox: kind,
    limits,
  };
  const { treeDir, mountAt, scratchDir } = ground;
  const root = rootInside({ kind, treeDir, mountAt });
  const outputFile = join(scratchDir, `record-${Math.random()}.jsonl`);
  const plan = planFile({
    environment,
    file,
    mode,
    root,
    recorderDir: recorderDir(),
    outputFile,
    probeModules,
    seed,
    tests,
  });
  const result = await ground.run({
    kind,
    ...plan,
    readOnlyPaths: [...description.readOnlyPaths, recorderDir()],
    limits: { ...limits, maxOutputBytes: 100_000 },
  });
  const text = await readFile(outputFile, 'utf8').catch(() => '');
  return { ...readRecord({ text, file, result, root }), stdout: result.stdout, stderr: result.stderr };
}

/** Outcomes as `status/phase` by test, without the file's name. */
export function statuses({ outcomes, file }: FileOutcome): Readonly<Record<string, string>> {
  return Object.fromEntries(
    outcomes.map(({ testId, status, phase }) => [testId.replace(`${file}::`, ''), `${status}/${phase}`]),
  );
}
