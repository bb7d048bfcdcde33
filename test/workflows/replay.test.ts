import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { bundleWorkflowCode, DefaultLogger, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { installRuntime } from '../../src/workers/worker-logger.js';
import { workflowCode } from '../../src/workers/workflow-code.js';

const HISTORIES = fileURLToPath(new URL('../histories/', import.meta.url));
const CHANGED = fileURLToPath(new URL('../fixtures/changed-workflows/', import.meta.url));

/** Replays a recorded history with the given workflow code; rejects when the code would do something else. */
async function replay({ name, workflowBundle }: { name: string; workflowBundle: WorkflowBundleOption }): Promise<void> {
  const history: unknown = JSON.parse(await readFile(join(HISTORIES, `${name}.json`), 'utf8'));
  await Worker.runReplayHistory({ workflowBundle }, history, name);
}

beforeAll(() => installRuntime(pino({ level: 'silent' })));

describe('recorded histories', () => {
  const names = readdirSync(HISTORIES).map((file) => file.replace(/\.json$/, ''));

  test('of every way to end are there', () => {
    expect(names.sort()).toEqual(['cancelled', 'continued', 'decided', 'matrix', 'undecided']);
  });

  // A change that breaks these breaks runs that are in work when the workers are replaced. When that is meant:
  // scripts/record-histories.mjs.
  test.for(names)('are followed by the workflows of today: %s', async (name) => {
    await replay({ name, workflowBundle: await workflowCode() });
  });

  test.for(['extra-timer', 'other-order'])('are not followed by changed ones: %s', async (changed) => {
    const workflowBundle = await bundleWorkflowCode({
      workflowsPath: join(CHANGED, `${changed}.ts`),
      logger: new DefaultLogger('ERROR'),
    });
    await expect(replay({ name: 'decided', workflowBundle })).rejects.toThrow(DeterminismViolationError);
  });
});
