import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunContext } from '../../src/activities/contract.js';
import { executeSuite } from '../../src/activities/execute-suite.js';
import { callModel } from '../../src/activities/model-call.js';
import type { Services } from '../../src/activities/services.js';
import type { Completion } from '../../src/llm/chat.js';
import { type ActivityBench, asActivity, openActivityBench, prepared } from '../support/activity-bench.js';
import { watchExecutions } from '../support/executions.js';
import { slowTests } from '../support/mini-project.js';
import { until } from '../support/until.js';

let bench: ActivityBench;
let context: RunContext;
beforeAll(async () => {
  bench = await openActivityBench({ files: slowTests(2) });
  context = await bench.context({ agents: ['right'], flags: { testFile: Object.keys(slowTests(2)) } });
});
afterAll(() => bench.remove());

test('a suite on a worker that stops ends with the file it is in, and goes on behind it', async () => {
  const { prepared: ref, suite, columns } = await prepared({ bench, context });
  const [column] = columns;
  if (column === undefined) throw new Error('no column');
  const input = { ...context, prepared: ref, column, suite, files: null, rerun: 0 };
  const stopping = new AbortController();
  const services: Services = { ...bench.services, stopping: stopping.signal };
  const running = asActivity(() => executeSuite({ services, input }));
  running.catch(() => undefined);
  const watch = watchExecutions({ home: bench.home });
  const inFirst = (): boolean => watch.running().some((key) => key.endsWith('test_slow_1.py'));
  await until({ what: 'the first test file', done: inFirst }).finally(watch.end);
  stopping.abort(new Error('The worker stops.'));
  // The error that the worker turns into one which is tried again in the next one.
  await expect(running).rejects.toBe(stopping.signal.reason);
  const next = await asActivity(() => executeSuite({ services: bench.services, input }));
  expect(next).toMatchObject({ executed: 1, reused: 1 });
});

test('a call of the model in work when the worker stops is answered and kept, and none is begun', async () => {
  const stopping = new AbortController();
  const answer: Completion = {
    content: 'in time',
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 1, cachedTokens: 0, outputTokens: 1 },
    drifted: false,
  };
  let asked = 0;
  const services: Services = {
    ...bench.services,
    stopping: stopping.signal,
    model: async () => ({
      complete: async ({ signal }) => {
        asked += 1;
        stopping.abort(new Error('The worker stops.'));
        signal.throwIfAborted();
        return answer;
      },
    }),
  };
  const ask = (turn: number) => {
    const request = { model: 'm', messages: [], maxOutputTokens: 100, temperature: null };
    return asActivity(() => callModel({ services, run: context, role: 'optimizer', step: 1, turn, request }));
  };
  expect(await ask(1)).toMatchObject({ stored: false, answer: { content: 'in time' } });
  await expect(ask(2)).rejects.toBe(stopping.signal.reason);
  expect(asked).toBe(1);
  expect(await ask(1)).toMatchObject({ stored: true, usage: { possibleDuplicates: 0 } });
});
