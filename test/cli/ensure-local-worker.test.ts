import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ensureLocalWorker } from '../../src/cli/ensure-local-worker.js';
import { readOptionValues } from '../../src/cli/option-values.js';
import { localTaskQueue, workflowIdOf } from '../../src/cli/run-identity.js';
import type { Session } from '../../src/cli/session.js';
import { startRun } from '../../src/cli/start-run.js';
import { workerEnvironment } from '../../src/cli/worker-environment.js';
import { presetSettings } from '../../src/core/settings.js';
import { connectClient } from '../../src/workers/connection.js';
import { listWorkerRecords } from '../../src/workers/stack-files.js';
import { QUIET_TERMINAL } from '../support/invocation.js';
import { useStackHome } from '../support/stack-home.js';
import { runCli } from './run-cli.js';

const { home, up } = useStackHome();
/** Runs the real worker, with activities that do nothing. */
const mainFile = fileURLToPath(new URL('../support/worker-main.mjs', import.meta.url));

const KEY = { OPENAI_API_KEY: 'sk-0123456789', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
const REPLAY = { TESTGRAD_REPLAY: fileURLToPath(import.meta.url), TESTGRAD_PRICE: '1,2', OPENAI_API_KEY: 'sk-else' };

/** A server of this test's own, and what a command with some setting does on it. */
async function shells() {
  const { target, uiUrl } = await up();
  const connected = await connectClient({ target });
  const session: Session = { connected, target, local: true, uiUrl };
  const envOf = (setting: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
    const env = { PATH: process.env.PATH, TEST_WORKER_ADDRESS: target.address, ...setting };
    return workerEnvironment({ env, cwd: '/', home: home() });
  };
  const ensure = async (setting: NodeJS.ProcessEnv, taskQueue: string, needsModel = true): Promise<number[]> => {
    const own = taskQueue === localTaskQueue(setting);
    const call = { session, home: home(), env: envOf(setting), taskQueue, own, needsModel, mainFile };
    await ensureLocalWorker({ ...call, note: () => undefined });
    return pids();
  };
  return { session, ensure, close: connected.close };
}

/** A command in a process of its own, without any model. */
const cli = (...args: string[]) => runCli({ args, home: home(), env: { TESTGRAD_HOME: home() } });

const pids = async (): Promise<number[]> => (await listWorkerRecords(home())).map(({ pid }) => pid);
const variables = (pid: number): string[] => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');

test('the worker of another setting is left alone, whoever comes; a command without a model starts none', async () => {
  const { ensure, close } = await shells();
  try {
    const queue = localTaskQueue(KEY);
    const failure: unknown = await ensure({}, queue).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'TG-M01',
      what: expect.stringContaining(queue),
      meaning: expect.stringContaining('waits'),
    });
    expect(failure).toMatchObject({ fix: expect.stringContaining('OPENAI_API_KEY and OPENAI_BASE_URL') });
    expect(await pids()).toEqual([]);

    const started = await ensure(KEY, queue);
    expect(variables(started[0] ?? 0)).toContain(`OPENAI_API_KEY=${KEY.OPENAI_API_KEY}`);
    expect(await ensure({}, queue)).toEqual(started);
    expect(await ensure(REPLAY, queue)).toEqual(started);
    expect(await ensure(REPLAY, queue, false)).toEqual(started);
  } finally {
    await close();
  }
});

test('a worker for a run that asks no model gets none', async () => {
  const { ensure, close } = await shells();
  try {
    const [pid = 0] = await ensure(REPLAY, localTaskQueue(KEY), false);
    const names = variables(pid).map((variable) => variable.split('=')[0] ?? '');
    expect(names).toContain('TESTGRAD_HOME');
    expect(names.filter((name) => name.startsWith('OPENAI_') || name === 'TESTGRAD_REPLAY')).toEqual([]);
    expect(names).not.toContain('TESTGRAD_PRICE');
  } finally {
    await close();
  }
});

test('a run that has its worker is attached to without a key; a new one needs it', async () => {
  const { session, ensure, close } = await shells();
  const runId = 'aaaa11110000';
  const ref = { digest: 'ab'.repeat(32), bytes: 1, mediaType: 'application/json' };
  const taskQueue = localTaskQueue(KEY);
  const start = async (id: string) => {
    const values = readOptionValues({ names: [], flags: {}, env: {} });
    const invocation = { values, argument: undefined, env: {}, cwd: '/', terminal: QUIET_TERMINAL };
    const run = {
      kind: 'select' as const,
      runId: id,
      instance: { name: 'shop', candidates: [] } as never,
      instanceRef: ref,
      settings: presetSettings({ preset: 'balanced', model: 'm' }),
    };
    const started = await startRun({ invocation, home: home(), run });
    await started.session.connected.close();
    return started;
  };
  try {
    await expect(start(runId)).rejects.toMatchObject({
      code: 'TG-M01',
      meaning: expect.stringContaining('Nothing was started'),
    });
    await session.connected.client.workflow.start('selectPatch', {
      taskQueue,
      workflowId: workflowIdOf({ kind: 'select', runId }),
      args: [],
    });
    // No worker yet, and none can be started from here.
    await expect(start(runId)).rejects.toMatchObject({ code: 'TG-M01', meaning: 'The run waits; nothing is lost.' });
    const waiting = await cli('status', 'last');
    expect(waiting.stdout).toContain(`queue    ${taskQueue}, without a worker\n`);
    expect(waiting.stderr).toBe('It waits for a worker: testgrad watch aaaa1111 starts one.\n');

    const workers = await ensure(KEY, taskQueue);
    expect(await start(runId)).toMatchObject({ attached: true, record: { taskQueue } });
    expect(await pids()).toEqual(workers);
    expect(await cli('status', 'last')).toMatchObject({
      stdout: expect.stringContaining(`queue    ${taskQueue}\n`),
      stderr: '',
    });
    const { address } = session.target;
    expect((await cli('status')).stderr).toContain(`Running: a local Temporal server at ${address}, 1 worker.`);
    expect((await cli('down')).stdout).toMatch(/^Stopped the local Temporal server and 1 worker\. .*testgrad watch/);
    expect((await cli('down')).stdout).toBe('Nothing was running.\n');
    const after = await cli('status');
    expect(after.stdout).toMatch(/^aaaa1111 {2}select {2}unknown /m);
    expect(after.stderr).toContain('testgrad up');
  } finally {
    await close();
  }
});
