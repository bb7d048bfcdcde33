import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import type { ArtifactStore } from '../../src/artifacts/store.js';
import { getJson } from '../../src/artifacts/values.js';
import { scoreBenchmark } from '../../src/cli/benchmark/score-benchmark.js';
import type { RunRecord } from '../../src/cli/run-index.js';
import type { ArtifactRef } from '../../src/core/artifact.js';
import type { BenchmarkPlan } from '../../src/core/benchmark-plan.js';
import type { BenchmarkEnd, BenchmarkResult, BenchmarkResults } from '../../src/core/benchmark-result.js';
import { addUsage, NO_USAGE } from '../../src/core/usage.js';
import { tracesOf, withoutCounts } from '../support/run-traces.js';
import { persevere } from './persevere.js';
import type { Outcome } from './scene.js';

/** Writes a benchmark that has ended as `testgrad bench` does, and reads that, every item's result and what is left. */
export async function benchmarkOutcome({
  dir,
  name,
  store,
  plan,
  planRef,
  client,
  result,
  known,
}: {
  dir: string;
  /** Of its state folder. */
  name: string;
  store: ArtifactStore;
  plan: BenchmarkPlan;
  planRef: ArtifactRef;
  client: Client;
  /** A BenchmarkEnd. */
  result: unknown;
  /** `NAME=PATH` of known results. */
  known: readonly string[];
}): Promise<Outcome> {
  const { results: ref, ...end } = result as BenchmarkEnd;
  const { items } = await getJson<BenchmarkResults>({ store, ref });
  const home = join(dir, name);
  const record: RunRecord = {
    ...{ schema: 'testgrad.run/1', runId: end.runId, kind: 'bench', workflowId: '', name: plan.name },
    ...{ instance: planRef, model: '', maxTokens: 0, taskQueue: name, startedAt: '', usedAt: '', results: [...known] },
  };
  await scoreBenchmark({ home, cwd: dir, store, record, end: { ...end, results: ref } });
  const documents: Record<string, string> = {};
  let usage = NO_USAGE;
  for (const item of items) {
    if (item.kind !== 'finished') continue;
    const document = await getJson<BenchmarkResult>({ store, ref: item.result });
    documents[`result of ${item.runId}`] = JSON.stringify(document);
    usage = addUsage({ left: usage, right: document.usage });
  }
  // The benchmark's own files and those of its selections.
  const { folder, left } = await tracesOf({ dir, name, runId: '.' });
  const unfinished = items.filter(({ kind }) => kind !== 'finished').map(({ runId }) => runId);
  return {
    answer: { end, outcomes: items.map(({ kind, runId }) => [runId, kind]) },
    files: withoutTimes(withoutCounts({ ...folder, ...documents })),
    ...{ calls: usage.calls, possibleDuplicates: usage.possibleDuplicates, executions: new Map() },
    left: {
      processes: left.processes,
      'copies of trees': left.copies,
      'items without a result': unfinished,
      'items with other than one outcome': await oddItems({ client, runIds: items.map(({ runId }) => runId) }),
    },
  };
}

/** Files without the three columns of minutes, and without how many calls may have been paid twice. */
function withoutTimes(files: Outcome['files']): Outcome['files'] {
  const clean = ([path, text]: [string, string]): [string, string] => {
    if (path.endsWith('/overhead.csv')) return [path, text.replace(/^([^,]*,)([^,]*,){3}/gm, '$1')];
    if (!path.endsWith('/report.md')) return [path, text];
    const costs = (rows: string): string => rows.replace(/^(\| \S+ \|)( [^|]* \|){3}/gm, '$1');
    return [path, text.replace(/^\| method \| minutes (.+\n)+/gm, costs).replace(DOUBTS, '')];
  };
  return Object.fromEntries(Object.entries(files).map(clean));
}

const DOUBTS = /\n(\n.*: calls that may have been paid twice: \d+\. *)+/g;

/** Items whose workflow has not completed exactly once; one that is continued as new completes once. */
async function oddItems({ client, runIds }: { client: Client; runIds: readonly string[] }): Promise<readonly string[]> {
  const completed = new Map(runIds.map((runId) => [`testgrad/item/${runId}`, 0]));
  const query = "WorkflowType = 'benchmarkItem' AND ExecutionStatus = 'Completed'";
  await persevere(async () => {
    for (const id of completed.keys()) completed.set(id, 0);
    for await (const { workflowId } of client.workflow.list({ query })) {
      completed.set(workflowId, (completed.get(workflowId) ?? 0) + 1);
    }
  });
  return [...completed].filter(([, times]) => times !== 1).map(([id]) => id);
}
