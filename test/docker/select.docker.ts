import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import type { Matrix } from '../../src/core/matrix.js';
import { stopLocalStack } from '../../src/workers/local-stack.js';
import { identify } from '../../src/workers/process-identity.js';
import { listWorkerRecords } from '../../src/workers/stack-files.js';
import { buildCli, type Finished, type Running, startCli } from '../support/built-cli.js';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.js';
import { scriptedRun } from '../support/scripted-optimizer.js';
import { killNow } from '../support/stack-home.js';
import { until } from '../support/until.js';
import { containersOf } from './containers.js';
import { makeSubject, SUBJECTS } from './subjects.js';

const BUILD_MS = 900_000;
let dir = '';
let home = '';
const models: ScriptedModel[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-select-docker-'));
  home = join(dir, 'home');
  await buildCli();
}, BUILD_MS);
afterAll(async () => {
  await stopLocalStack({ home, workerGraceMs: 5_000 });
  for (const model of models) await model.close();
  await rm(dir, { recursive: true, force: true });
}, 60_000);

it.each(SUBJECTS)(
  '$family: the right one of three candidates is selected in containers, also when the worker is killed under them',
  { timeout: BUILD_MS },
  async (subject) => {
    const { image, repoDir, issueFile, patches } = await makeSubject({ subject, dir: join(dir, subject.family) });
    const model = await startScriptedModel({
      script: scriptedRun({ updates: [[subject.telling]], path: subject.file, quote: subject.quote }),
    });
    models.push(model);
    const run = (...args: readonly string[]): Running =>
      startCli({
        args: [
          ...args,
          ...['--repo', repoDir, '--issue', issueFile, '--image', image, '--image-dir', '/testbed', '--json'],
          ...['--test-cmd', subject.testCommand, '--test-file', subject.testFile],
          ...Object.entries(patches).flatMap(([agent, path]) => ['--patch', `${agent}=${path}`]),
        ],
        home,
        env: { DOCKER_HOST: process.env.DOCKER_HOST ?? '', OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-none' },
      });
    const select = ['select', '--model', 'scripted'];

    const cut = run(...select, '--detach');
    const { run: started } = document<{ run: { id: string } }>(await cut.end);
    await until({ what: 'a container', done: async () => (await containersOf(started.id)).length > 0 });
    for (const { pid } of await listWorkerRecords(home)) if ((await identify(pid)) !== null) await killNow(pid);

    const selected = document<{ outcome: string; selected: string; decision: Decision }>(await run(...select).end);
    expect(selected).toMatchObject({ outcome: 'differential', selected: 'right' });
    const telling = `${subject.testFile}::${subject.telling.className === undefined ? '' : `${subject.telling.className}::`}${subject.telling.name}`;
    expect(selected.decision.decidingTests).toMatchObject([{ testId: telling }]);
    expect(await containersOf(started.id)).toEqual([]);

    const { run: own, matrix } = document<{ run: { id: string }; matrix: Matrix }>(await run('matrix').end);
    const passed = { status: 'passed', reruns: ['passed'] };
    expect(matrix.rows.find(({ testId }) => testId === subject.known)).toMatchObject({
      base: { status: 'passed' },
      cells: { c1: passed, c2: passed, c3: { status: 'missing' } },
    });
    expect(await containersOf(own.id)).toEqual([]);
  },
);

it('clean lists the images of finished runs, and without --yes takes none away', { timeout: BUILD_MS }, async () => {
  const env = { DOCKER_HOST: process.env.DOCKER_HOST ?? '' };
  const list = (days: string): Promise<Finished> =>
    startCli({ args: ['clean', '--older-than', days, '--json'], home, env }).end;
  const images = async (days: string): Promise<number> =>
    document<{ items: { kind: string; reason: string }[] }>(await list(days)).items.filter(
      ({ kind, reason }) => kind === 'image' && reason.startsWith('snapshot'),
    ).length;
  // One for each candidate at least.
  const all = await images('0');
  expect(all).toBeGreaterThanOrEqual(SUBJECTS.length * 3);
  expect(await images('1')).toBeLessThan(all);
});

/** The one document of `--json`; fails with what was said when there is none. */
function document<T>({ exitCode, stdout, stderr }: Finished): T {
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout) as T;
}
