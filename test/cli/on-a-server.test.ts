import { afterAll, beforeAll, expect, test } from 'vitest';
import { SEARCH_ATTRIBUTES } from '../../src/core/search-attributes.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { runCli } from './run-cli.js';
import { clampPatch, type SampleRepository, sampleRepository } from './sample-repository.js';

let server: TestServer;
let repo: SampleRepository;
let args: string[];
beforeAll(async () => {
  const python = await pythonWithPytest();
  server = await startTestServer();
  repo = sampleRepository();
  repo.beside('issue.md', '# clamp ignores low\n');
  repo.beside('good.diff', clampPatch('return max(low, min(value, high))'));
  repo.beside('partial.diff', clampPatch('return min(max(value, 0), high)'));
  const inputs = ['--issue', '../issue.md', '--patch', '../good.diff', '--patch', 'Ünicode=../partial.diff'];
  args = ['select', ...inputs, '--model', 'm', '--python', python, '--sandbox', 'none'];
}, SERVER_START_TIMEOUT_MS);
afterAll(async () => {
  repo.remove();
  await server.stop();
});

const env = (): Record<string, string> => ({ TEMPORAL_ADDRESS: server.target.address });
const cli = (extra: readonly string[]) => runCli({ args: extra, home: repo.home, cwd: repo.dir, env: env() });

interface Started {
  readonly run: { readonly id: string; readonly workflow: string };
  readonly outcome: string;
}

test('a run on a configured server needs no key here, is started once, and is left with Ctrl+C', async () => {
  const detached = await cli([...args, '--detach', '--json']);
  expect(detached.exitCode).toBe(0);
  const started = JSON.parse(detached.stdout) as Started;
  expect(started).toMatchObject({ outcome: 'running', run: { workflow: `testgrad/select/${started.run.id}` } });
  expect(detached.stderr).toContain(`testgrad watch ${started.run.id.slice(0, 8)}`);

  const handle = server.env.client.workflow.getHandle(started.run.workflow);
  const described = await handle.describe();
  expect(described).toMatchObject({ type: 'selectPatch', taskQueue: 'testgrad' });
  expect(described.searchAttributes[SEARCH_ATTRIBUTES.run.name]).toEqual([started.run.id]);
  expect(described.searchAttributes[SEARCH_ATTRIBUTES.repository.name]).not.toEqual(['shop']);

  // Nothing of the patches, the body or the environment travels through the server.
  const { events } = await handle.fetchHistory();
  const history = JSON.stringify(events).replace(/"data":"([^"]+)"/g, (_, data: string) =>
    Buffer.from(data, 'base64').toString('utf8'),
  );
  expect(history).toContain('clamp ignores low');
  expect(history).not.toMatch(/max\(low, min|diff --git/);

  const attached = await runCli({
    args,
    home: repo.home,
    cwd: repo.dir,
    env: env(),
    onStderr: (child, text) => {
      if (text.includes('Attached to run') && !child.killed) child.kill('SIGINT');
    },
  });
  expect(attached).toMatchObject({ exitCode: 0, stdout: '' });
  expect(attached.stderr).toContain(`Detached. Run ${started.run.id.slice(0, 8)} goes on`);
  expect((await handle.describe()).runId).toBe(described.runId);

  const status = JSON.parse((await cli(['status', 'last', '--json'])).stdout);
  expect(status.runs).toMatchObject([{ runId: started.run.id, state: 'running', taskQueue: 'testgrad' }]);

  const watching = cli(['watch', 'last']);
  await handle.terminate('by hand');
  expect(await watching).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringMatching(/^TG-R06 /m) });
  expect((await cli(['status'])).stdout).toMatch(/select {2}cancelled/);
  expect(await cli(['cancel', 'last'])).toMatchObject({ exitCode: 2, stderr: expect.stringMatching(/^TG-R05 /) });

  // The same command starts it again under the same id.
  const again = JSON.parse((await cli([...args, '--detach', '--json'])).stdout) as Started;
  expect(again.run.id).toBe(started.run.id);
  expect((await handle.describe()).status.name).toBe('RUNNING');
  await handle.terminate('end of the test');
}, 120_000);

test('doctor tells a server without a worker, with the command that starts one', {
  retry: 2,
  timeout: 60_000,
}, async () => {
  const { stdout } = await cli(['doctor', '--json', '--task-queue', 'nobody']);
  const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; code: string; fix: string }[] };
  const named = (name: string) => checks.find((check) => check.name === name);
  expect(named('Temporal')).toMatchObject({ state: 'ok' });
  expect(named('attributes')).toMatchObject({ state: 'ok' });
  const fix = expect.stringContaining('testgrad worker --task-queue nobody');
  expect(named('worker')).toMatchObject({ state: 'warn', code: 'TG-T02', fix });
});

test('a run that no worker takes says so after a while, and waits', async () => {
  const { stdout } = await cli([...args, '--seed', '5', '--detach', '--json']);
  const { run } = JSON.parse(stdout) as Started;
  const watched = await runCli({
    args: ['watch', run.id],
    home: repo.home,
    cwd: repo.dir,
    env: env(),
    onStderr: (child, text) => {
      if (text.includes('TG-T02') && !child.killed) child.kill('SIGINT');
    },
  });
  expect(watched).toMatchObject({ exitCode: 0, stdout: '' });
  expect(watched.stderr).toMatch(
    /^TG-T02 {2}No worker answers on queue "testgrad"\. .*testgrad worker --task-queue testgrad$/m,
  );
  await server.env.client.workflow.getHandle(run.workflow).terminate('end of the test');
}, 120_000);
