import { WorkflowFailedError } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getJson } from '../../src/artifacts/values.js';
import { runFailure } from '../../src/cli/run-failure.js';
import type { Decision } from '../../src/core/decision.js';
import type { Momentum } from '../../src/core/failure-memory.js';
import type { Operation } from '../../src/core/suite.js';
import { totalUsage } from '../../src/core/usage.js';
import { resultsOf } from '../support/histories.js';
import type { Script, ScriptedReply, ScriptedRequest } from '../support/scripted-model.js';
import { MINI_UPDATES, scriptedRun, stepOf, turnOf } from '../support/scripted-optimizer.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { MODEL_TIMEOUT_MS, openWorkbench, startBenchWorker, type Workbench } from '../support/workbench.js';

const SEPARATING = MINI_UPDATES.slice(2);
const script = scriptedRun({ updates: SEPARATING });

let server: TestServer;
let bench: Workbench;
let worker: { readonly stop: () => Promise<void> };

beforeAll(async () => {
  server = await startTestServer();
  bench = await openWorkbench({ server });
  worker = await startBenchWorker({ server, bench });
  // The outcomes that all these runs share.
  await bench.select({ name: 'shared', script, settings: { steps: 1 } });
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  await worker?.stop();
  await bench?.remove();
  await server?.stop();
});

/** The scripted run, but the first request that `when` picks gets `reply`. */
function failingOnce({ when, reply }: { when: (request: ScriptedRequest) => boolean; reply: ScriptedReply }): Script {
  let failed = false;
  return (request, n) => {
    if (failed || !when(request)) return script(request, n);
    failed = true;
    return reply;
  };
}

const at = (role: ScriptedRequest['role'], turn = 0) => {
  return (request: ScriptedRequest) => request.role === role && turnOf(request) === turn;
};

describe.concurrent('what the endpoint does wrong is waited out, and each call counts once', () => {
  const cases: readonly {
    readonly name: string;
    readonly when: (request: ScriptedRequest) => boolean;
    readonly reply: ScriptedReply;
    readonly waitMs: number;
  }[] = [
    {
      name: 'a rate limit, for as long as it asks',
      when: at('optimizer'),
      reply: { status: 429, headers: { 'retry-after': '3' }, body: { error: { message: 'slow down' } } },
      waitMs: 3_000,
    },
    {
      name: 'an error of its own',
      when: at('judge'),
      reply: { status: 500, body: { error: { message: 'upstream broke' } } },
      waitMs: 0,
    },
    {
      name: 'no answer in time',
      when: at('optimizer', 1),
      reply: { content: 'too late', delayMs: 2 * MODEL_TIMEOUT_MS },
      waitMs: MODEL_TIMEOUT_MS,
    },
    { name: 'a cut connection', when: at('checker'), reply: { cut: true }, waitMs: 0 },
    { name: 'no JSON', when: at('optimizer', 1), reply: { status: 200, body: '{"choices": [' }, waitMs: 0 },
  ];
  test.for(cases)('$name', { timeout: 120_000 }, async ({ name, when, reply, waitMs }) => {
    const { decision } = await bench.select({ name, script: failingOnce({ when, reply }), settings: { steps: 1 } });
    expect(decision).toMatchObject({ kind: 'differential', chosenBy: 'checker' });
    const asked = bench.requests(name);
    expect(asked).toHaveLength(5);
    // The one that failed was sent again, word for word.
    const [first, second, ...more] = asked.filter(({ digest }) => digest === asked.find(when)?.digest);
    expect(more).toEqual([]);
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(waitMs);
    expect(totalUsage(decision.usage)).toMatchObject({ calls: 4, possibleDuplicates: 0 });
  });
});

test('a provider without tools is talked to in text', async () => {
  const { decision } = await bench.select({
    name: 'text',
    settings: { steps: 1 },
    script: async (request, n) => {
      if (request.toolNames.length > 0) {
        return { status: 400, body: { error: { message: 'tools are not supported with this model' } } };
      }
      const reply = await script(request, n);
      const [call] = 'toolCalls' in reply ? (reply.toolCalls ?? []) : [];
      const json = JSON.stringify({ tool: call?.name, arguments: call?.arguments });
      return { content: `Here it is.\n\`\`\`json\n${json}\n\`\`\`` };
    },
  });
  expect(decision).toMatchObject({ kind: 'differential', chosenBy: 'checker' });
  // Tried once with tools, then never again.
  expect(bench.requests('text').filter(({ toolNames }) => toolNames.length > 0)).toHaveLength(1);
  expect(totalUsage(decision.usage)).toMatchObject({ calls: 4, possibleDuplicates: 0 });
}, 120_000);

test('an answer without a call is corrected once; a second one is a failed update that is remembered', async () => {
  const { input, decision } = await bench.select({
    name: 'silent',
    settings: { steps: 2 },
    script: (request, n) => {
      if (request.role !== 'optimizer') return script(request, n);
      if (stepOf(request) === 1) return { content: 'The tests look fine to me.' };
      // In the second step it says nothing at first, is corrected, and then works.
      if (turnOf(request) === 0) return { content: 'Let me think.' };
      return scriptedRun({ updates: [[], ...SEPARATING] })(request, n);
    },
  });
  expect(decision).toMatchObject({ kind: 'differential', steps: [{}, { operations: [] }, { loss: 0 }] });
  const corrections = bench
    .requests('silent')
    .filter(({ messages }) => messages.at(-1)?.content?.includes('called no tool') === true);
  expect(corrections.map(stepOf)).toEqual([1, 2]);
  const prompt = await promptOf({ name: 'silent', step: 2 });
  expect(prompt).toContain('answered twice without calling a tool');
  const [mined] = await minedBy(input.runId);
  expect(mined).toMatchObject({ failedUpdates: 1 });
}, 120_000);

test('refused updates come back to the model with the reason, and too many of them are a failed update', async () => {
  const put = (file: string): Operation => ({
    op: 'create',
    file,
    name: 'test_new',
    source: 'def test_new():\n    assert True\n',
  });
  const unknown: Operation = {
    op: 'update',
    file: 'tests/test_slugs.py',
    test: 'test_that_is_not_there',
    source: 'def test_that_is_not_there():\n    assert True\n',
    staleBecause: 'The issue overturns it.',
  };
  const unimportable: Operation = { ...put('tests/test_new.py'), imports: ['import no_such_module'] } as Operation;
  const attempts: readonly unknown[] = [
    [put('../outside/test_new.py')],
    [put('slugs.py')],
    [unknown],
    [unimportable],
    '{"diagnosis": "cut in the mid',
  ];
  const { decision } = await bench.select({
    name: 'refused',
    settings: { steps: 2, maxRefusals: 4 },
    script: (request, n) => {
      if (request.role !== 'optimizer' || stepOf(request) === 2) {
        return scriptedRun({ updates: [[], ...SEPARATING] })(request, n);
      }
      const attempt = attempts[turnOf(request)];
      const submission = { diagnosis: 'd', failedDirection: 'making things up', reuse: [], operations: attempt };
      return { toolCalls: [{ name: 'submit_update', arguments: typeof attempt === 'string' ? attempt : submission }] };
    },
  });
  const answers = bench
    .requests('refused')
    .filter((request) => stepOf(request) === 1)
    .map(({ messages }) => messages.at(-1)?.content ?? '');
  expect(answers).toHaveLength(5);
  expect(answers[1]).toContain('the path leaves the repository');
  expect(answers[2]).toContain('product code is not edited');
  expect(answers[3]).toContain('test_that_is_not_there');
  expect(answers[4]).toContain('no_such_module');
  expect(answers[4]).toContain('cannot be collected on any candidate');

  const [, failed, last] = decision.steps;
  expect(failed).toMatchObject({ operations: [], loss: 1, executedFiles: 0 });
  expect(failed?.refusals).toHaveLength(5);
  expect(last).toMatchObject({ loss: 0, leaders: ['c1', 'c3'] });
  expect(decision.kind).toBe('differential');
  // The dead end is named to the next step.
  expect(await promptOf({ name: 'refused', step: 2 })).toMatch(/<momentum>[\s\S]*not applied/i);
}, 120_000);

test('a refused key fails the run at once, and the same input goes on with a good one', async () => {
  const taskQueue = 'keys';
  const wish = {
    name: 'keys',
    taskQueue,
    settings: { steps: 1 },
    script: ((request, n) => {
      // The key is taken away after the optimizer's turns.
      const refused = request.role === 'judge' && request.headers.authorization !== 'Bearer sk-good-0123456789';
      if (refused)
        return { status: 401, body: { error: { message: 'Incorrect API key provided: sk-bad-0123456789' } } };
      return script(request, n);
    }) satisfies Script,
  };
  const input = await bench.prepare(wish);
  const bad = await startBenchWorker({ server, bench, taskQueue, apiKey: 'sk-bad-0123456789' });
  const handle = await bench.start(input);
  const error: unknown = await handle.result().catch((thrown: unknown) => thrown);
  await bad.stop();
  expect(error).toBeInstanceOf(WorkflowFailedError);
  const told = runFailure({ error, runId: input.runId });
  expect(told.code).toBe('TG-M02');
  expect(`${told.what} ${told.meaning} ${told.fix}`).not.toContain('sk-bad-0123456789');
  expect(bench.requests('keys').map(({ role }) => role)).toEqual(['optimizer', 'optimizer', 'judge']);

  const good = await startBenchWorker({ server, bench, taskQueue, apiKey: 'sk-good-0123456789' });
  const decision = (await (await bench.start(input)).result()) as Decision;
  await good.stop();
  expect(decision).toMatchObject({ kind: 'differential', steps: [{ executedFiles: 0 }, { executedFiles: 0 }] });
  // What was answered before is not asked again.
  const roles = bench.requests('keys').map(({ role }) => role);
  expect(roles).toEqual(['optimizer', 'optimizer', 'judge', 'judge', 'checker']);
  expect(totalUsage(decision.usage)).toMatchObject({ calls: 4, possibleDuplicates: 0 });
}, 120_000);

/** The first prompt of a step. */
async function promptOf({ name, step }: { name: string; step: number }): Promise<string> {
  const request = bench.requests(name).find((each) => stepOf(each) === step && turnOf(each) === 0);
  return request?.messages.map(({ content }) => content).join('\n') ?? '';
}

/** All momenta of a run, in their order. */
async function minedBy(runId: string): Promise<Momentum[]> {
  const history = await server.env.client.workflow.getHandle(`testgrad/select/${runId}`).fetchHistory();
  const results = resultsOf<{ momentum: { digest: string } }>({ history, activity: 'mineMomentum' });
  return Promise.all(results.map(({ momentum }) => getJson<Momentum>({ store: bench.store, ref: momentum })));
}
