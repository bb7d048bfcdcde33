import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { installRuntime } from '../../src/workers/worker-logger.js';
import * as workflows from '../../src/workflows/index.js';
import { buildCli } from '../support/built-cli.js';

const HISTORIES = fileURLToPath(new URL('../histories/', import.meta.url));
const CHANGED = fileURLToPath(new URL('../fixtures/changed-workflows/', import.meta.url));

/** Replays a recorded history with the given workflow code; rejects when the code would do something else. */
async function replay({ name, workflowBundle }: { name: string; workflowBundle: WorkflowBundleOption }): Promise<void> {
  const history: unknown = JSON.parse(await readFile(join(HISTORIES, `${name}.json`), 'utf8'));
  await Worker.runReplayHistory({ workflowBundle }, history, name);
}

/** What `npm run build` made: the workflows that users run. */
const BUILT: WorkflowBundleOption = {
  codePath: fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url)),
};

beforeAll(async () => {
  installRuntime(pino({ level: 'silent' }));
  await buildCli();
}, 240_000);

describe('recorded histories', () => {
  const names = readdirSync(HISTORIES).map((file) => file.replace(/\.json$/, ''));

  test('of every workflow and of every way to end are there', async () => {
    expect(names.sort()).toEqual([
      'agentless',
      'augment',
      'benchmark',
      'benchmark-continued',
      'benchmark-item',
      'benchmark-item-failed',
      'cancelled',
      'continued',
      'decided',
      'matrix',
      'pass-count',
      'trae',
      'undecided',
    ]);
    const types = await Promise.all(names.map(typeOf));
    expect([...new Set(types)].sort()).toEqual(Object.keys(workflows).sort());
  });

  // A change that breaks these breaks runs that are in work when the workers are replaced. When that is meant:
  // scripts/record-histories.mjs.
  test.for(names)('are followed by the workflows of today, as they were built: %s', async (name) => {
    await replay({ name, workflowBundle: BUILT });
  });

  test.for(['extra-timer', 'other-order'])('are not followed by changed ones: %s', async (changed) => {
    const workflowBundle = await bundleChanged(changed);
    await expect(replay({ name: 'decided', workflowBundle })).rejects.toThrow(DeterminismViolationError);
  });

  test('are followed by changed ones whose change is patched in', async () => {
    await replay({ name: 'decided', workflowBundle: await bundleChanged('patched') });
  });
});

const bundleChanged = (name: string): Promise<WorkflowBundleOption> =>
  bundleWorkflowCode({ workflowsPath: join(CHANGED, `${name}.ts`), logger: new DefaultLogger('ERROR') });

/** The workflow type of a recorded history. */
async function typeOf(name: string): Promise<string> {
  const { events } = JSON.parse(await readFile(join(HISTORIES, `${name}.json`), 'utf8')) as {
    readonly events: readonly {
      readonly workflowExecutionStartedEventAttributes?: { readonly workflowType: { readonly name: string } };
    }[];
  };
  return events[0]?.workflowExecutionStartedEventAttributes?.workflowType.name ?? '';
}
