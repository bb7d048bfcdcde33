import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MethodRecord } from '../../src/activities/contract.js';
import { METHOD_KIND } from '../../src/activities/methods/finish.js';
import { getJson, getText } from '../../src/artifacts/values.js';
import type { ArtifactRef } from '../../src/core/artifact.js';
import type { ChatMessage } from '../../src/core/chat.js';
import type { SelectByMethodInput, WorkedMethod } from '../../src/workflows/select-by-method.js';
import { activityCounts } from '../support/histories.js';
import type { Script, ScriptedReply } from '../support/scripted-model.js';
import { SERVER_START_TIMEOUT_MS, startTestServer, type TestServer } from '../support/temporal-server.js';
import { openWorkbench, startBenchWorker, type Workbench } from '../support/workbench.js';

let server: TestServer;
let bench: Workbench;
let worker: { readonly stop: () => Promise<void> };

beforeAll(async () => {
  server = await startTestServer();
  bench = await openWorkbench({ server });
  worker = await startBenchWorker({ server, bench });
}, SERVER_START_TIMEOUT_MS);

afterAll(async () => {
  await worker?.stop();
  await bench?.remove();
  await server?.stop();
});

const AGENTS = ['example-only', 'right', 'also-right'];

async function select({ method, script }: { method: WorkedMethod; script: Script }) {
  const { runId, instance, name, settings, taskQueue } = await bench.prepare({ name: method, script, agents: AGENTS });
  const input: SelectByMethodInput = { runId, method, instance, name, settings, taskQueue };
  const workflowId = `testgrad/${method}/${runId}`;
  const handle = await server.env.client.workflow.start('selectByMethod', { args: [input], taskQueue, workflowId });
  const record = (await handle.result()) as MethodRecord;
  const kept = await bench.store.lookup({ kind: METHOD_KIND, key: runId });
  expect(kept === undefined ? null : await getJson({ store: bench.store, ref: kept })).toEqual(record);
  return { record, counts: activityCounts(await handle.fetchHistory()), asked: bench.requests(method) };
}

const promptOf = (messages: readonly { readonly content: string | null }[]): string =>
  messages.map(({ content }) => content ?? '').join('\n');

test('Augment asks once and executes nothing but the base', async () => {
  const { record, counts, asked } = await select({
    method: 'augment',
    script: () => ({ content: 'They agree. <solution_index>2</solution_index>' }),
  });
  expect(record).toMatchObject({ method: 'augment', selected: 'right', fallback: null, usage: { calls: 1 } });
  expect(counts).toMatchObject({ prepareInstance: 1, askEnsemble: 1, finishMethod: 1, releaseInstance: 1 });
  expect(counts.executeSuite).toBeUndefined();
  expect(asked).toHaveLength(1);
  expect(promptOf(asked[0]?.messages ?? [])).not.toMatch(/example-only|also-right/);
}, 120_000);

test('the pass count runs the tests that are there on every candidate, and asks nobody', async () => {
  const { record, counts, asked } = await select({ method: 'pass-count', script: () => ({ content: '' }) });
  expect(record).toMatchObject({ method: 'pass-count', selected: 'example-only', usage: { calls: 0 } });
  expect(record.reason).toContain('it comes first');
  expect(counts).toMatchObject({ executeSuite: 3, regressionTests: 3 });
  expect(asked).toEqual([]);
}, 120_000);

const REPRODUCTION = `from slugs import slugify


def test_whole_words():
    try:
        long = slugify("incomprehensible", max_length=6)
    except Exception:
        print("Other issues")
        return
    if slugify("hello world", max_length=8) != "hello":
        print("Issue reproduced")
    elif long != "incomp":
        print("Other issues")
    else:
        print("Issue resolved")


test_whole_words()`;

test('Agentless makes its 41 calls and decides by what the tests and its script do in the sandboxes', async () => {
  const { record, counts, asked } = await select({
    method: 'agentless',
    script: (request): ScriptedReply => {
      if (promptOf(request.messages).includes('should NOT be run'))
        return { content: 'tests/test_slugs.py::test_none' };
      return { content: `\`\`\`python\n${REPRODUCTION}\n\`\`\`` };
    },
  });
  expect(asked).toHaveLength(41);
  expect(record).toMatchObject({ method: 'agentless', selected: 'right', fallback: null, usage: { calls: 41 } });
  expect(record.evidence).toContainEqual({ candidate: 'c1', fact: 'the reproduction test says: other' });
  expect(record.evidence).toContainEqual({ candidate: 'c2', fact: 'the reproduction test says: resolved' });
  // One script on the base and three candidates; the tests on the base and three candidates.
  expect(counts).toMatchObject({ writeReproduction: 40, runReproduction: 4, executeSuite: 4, countRegressions: 3 });
  const temperatures = asked.map(({ body }) => body.temperature);
  expect(temperatures.filter((each) => each === 0)).toHaveLength(2);
  expect(temperatures.filter((each) => each === 0.8)).toHaveLength(39);
}, 240_000);

test('TRAE looks around in the sandbox, keeps what its calls write, and votes', async () => {
  const steps: ScriptedReply[] = [
    { toolCalls: [{ name: 'bash', arguments: { command: 'echo "x = 41" > tried.py && ls' } }] },
    {
      toolCalls: [
        { name: 'bash', arguments: { command: 'python tried.py && grep -c . tried.py; cat /etc/hostname; exit 3' } },
        {
          name: 'str_replace_based_edit_tool',
          arguments: { command: 'str_replace', path: 'tried.py', old_str: '41', new_str: '42' },
        },
        { name: 'str_replace_based_edit_tool', arguments: { command: 'view', path: 'tried.py' } },
        { name: 'str_replace_based_edit_tool', arguments: { command: 'view', path: '../../etc/passwd' } },
        { name: 'rm', arguments: {} },
      ],
    },
  ];
  const report = { content: 'Status: succeed\nResult: Patch-3\nAnalysis: It drops whole words.' };
  const { record, counts, asked } = await select({
    method: 'trae',
    script: (request): ScriptedReply => {
      if (!request.toolNames.includes('bash')) return { content: '' };
      const turn = request.messages.filter(({ role }) => role === 'assistant').length;
      const isFirstRun = !promptOf(request.messages).includes('Nothing more');
      return isFirstRun && bench.requests('trae').filter(({ toolNames }) => toolNames.includes('bash')).length <= 3
        ? (steps[turn] ?? report)
        : report;
    },
  });
  expect(record).toMatchObject({ method: 'trae', selected: 'also-right', fallback: null });
  expect(record.reason).toBe('3 of 3 votes of the selector among 3 candidates.');
  expect(counts).toMatchObject({ pruneTests: 1, selectorTurn: 5, selectorCall: 6, executeSuite: 4 });
  expect(asked).toHaveLength(6);
  const conversation = record.conversations[1] as ArtifactRef;
  const { messages } = await getJson<{ messages: ChatMessage[] }>({ store: bench.store, ref: conversation });
  const results = messages.flatMap((each) => (each.role === 'tool' ? [each.content] : []));
  expect(results[0]).toMatch(/slugs\.py[\s\S]*tried\.py/);
  expect(results[1]).toMatch(/^1\n[\s\S]*\[exit code 3\]$/);
  expect(results[2]).toBe('tried.py is written.');
  expect(results[3]).toBe('1\tx = 42\n2\t');
  expect(results[4]).toContain('is not in the repository');
  expect(results[5]).toContain('no tool "rm"');
  expect(await getText({ store: bench.store, ref: conversation })).not.toMatch(/example-only/);
}, 240_000);
