import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyEdit } from '../../src/activities/apply-edit.js';
import { mineMomentum } from '../../src/activities/mine-momentum.js';
import { readRepository } from '../../src/activities/read-repository.js';
import { getJson, getText } from '../../src/artifacts/values.js';
import { type Ablation, ablated } from '../../src/core/ablation.js';
import type { Momentum } from '../../src/core/failure-memory.js';
import { presetSettings } from '../../src/core/settings.js';
import { type ActivityBench, asActivity, openActivityBench, scored } from '../support/activity-bench.js';

let bench: ActivityBench;
beforeAll(async () => {
  bench = await openActivityBench();
});
afterAll(() => bench.remove());

const contextOf = (ablation: Ablation) =>
  bench.context({ settings: ablated({ settings: presetSettings({ preset: 'balanced', model: 'm' }), ablation }) });

const applied = async (operations: readonly unknown[], ablation: Ablation) => {
  const call = await scored({ bench, context: await contextOf(ablation) });
  const edit = { diagnosis: 'None yet.', operations };
  const input = await call({ tool: 'submit_update', arguments: edit });
  return { input, result: await asActivity(() => applyEdit({ services: bench.services, input })) };
};

const CREATED = {
  op: 'create',
  file: 'tests/test_slugs.py',
  name: 'test_created',
  source: 'def test_created():\n    assert slugify("a b") == "a-b"\n',
};

test('without Update a submission that updates is refused, and the model is told so', async () => {
  const update = { op: 'update', file: 'tests/test_slugs.py', test: 'test_a', source: 'x', staleBecause: 'x' };
  const { result } = await applied([CREATED, update], 'no-update');
  expect(result).toMatchObject({ kind: 'refused', reason: expect.stringContaining('tests/test_slugs.py::test_a') });
});

test('without Read no tool reads', async () => {
  const call = await scored({ bench, context: await contextOf('no-read') });
  const input = await call({ tool: 'read_file', arguments: { path: 'tests/test_slugs.py' } });
  const { result } = await asActivity(() => readRepository({ services: bench.services, input }));
  expect(await getText({ store: bench.services.store, ref: result })).toContain('There is no tool "read_file" now.');
});

test('raw memory is shown in place of the mined one, whose size is told beside it', async () => {
  const { input, result } = await applied([CREATED], 'raw-memory');
  if (result.kind !== 'applied') throw new Error(result.reason);
  const remembered = await asActivity(() =>
    mineMomentum({
      services: bench.services,
      input: {
        ...input,
        ...{ step: 1, kind: 'uniform', reason: 'passed on all', direction: 'spaces', memory: [], suite: result.suite },
        matrix: null,
      },
    }),
  );
  const { text, tokens, rawTokens } = await getJson<Momentum>({
    store: bench.services.store,
    ref: remembered.momentum,
  });
  expect(text).toContain('Direction: spaces');
  expect(text).toContain('assert slugify("a b") == "a-b"');
  expect(remembered).toMatchObject({ tokens, rawTokens });
  expect(rawTokens).toBeGreaterThan(tokens);
});
