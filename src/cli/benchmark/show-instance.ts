import { itemOnRecord } from '../../activities/benchmark/item-record.js';
import type { ArtifactStore } from '../../artifacts/store.js';
import type { BenchmarkPlan } from '../../core/benchmark-plan.js';
import type { ItemEnd } from '../../core/benchmark-result.js';
import { ResultError } from '../../errors.js';
import { renderTable } from '../../report/benchmark-render.js';
import { shortRunId } from '../../report/short-run-id.js';
import { type InstanceMethod, methodsTable, renderInstanceMethod } from '../../report/terminal-instance.js';
import { renderResult } from '../../report/terminal-result.js';
import { closeNames, perhaps } from '../close-names.js';
import { type FinishedRun, findFinished, reportOf } from '../finished-run.js';
import type { Invocation } from '../invocation.js';
import { copyRunFolder, exitCodeOfDecision } from '../outcome.js';
import type { RunRecord } from '../run-index.js';
import { type ShownRun, showPart } from '../show-part.js';
import { shownDecision } from '../withheld.js';
import { planOf } from './find.js';
import { type NamedInstance, namedInstance } from './instance-path.js';
import { cellsOfInstance, type InstanceCell } from './records.js';
import { knownOf } from './score-benchmark.js';

/**
 * Prints what was selected on one instance of a benchmark, with how every method and number of agents ended on it, or a
 * part of a selection. What has ended is shown while the rest is in work. Throws TG-R05 for what there is not.
 */
export async function showInstance({
  invocation,
  home,
  store,
  run,
  path,
}: {
  invocation: Invocation;
  home: string;
  store: ArtifactStore;
  run: RunRecord;
  path: string;
}): Promise<number> {
  const { terminal, values, cwd } = invocation;
  const plan = await planOf({ store, record: run });
  const named = await namedInstance({ store, run, plan, path });
  const { instance, arm, n, part, given } = named;
  const known = await knownOf({ record: run, plan, cwd });
  const cells: InstanceCell[] = [];
  for await (const cell of cellsOfInstance({
    store,
    plan,
    instance,
    known,
    endOf: (id) => endOf({ store, runId: id }),
  })) {
    cells.push(cell);
  }
  const cell = cells.find((each) => each.arm.name === arm && each.n === n);
  const runId = cell?.runId ?? null;
  const finished = runId === null ? null : await findFinished({ store, runId });
  if (part !== '') {
    if (finished === null) throw nothingToOpen({ run, named, cells, plan });
    return showPart({ invocation, home, store, of: shownCell({ run, named, runId, plan }), finished, part });
  }
  const methods = cells.map(methodOf);
  if (values.on('json')) {
    const content = values.on('content');
    terminal.json({
      schema: 'testgrad.show-instance/1',
      ...shownCell({ run, named, runId, plan }).identity,
      decision: finished === null ? null : shownDecision({ decision: finished.decision, content }),
      methods: methods.map(({ reason, error, ...told }) => ({
        ...told,
        reason: content ? reason : null,
        error: error === null ? null : { code: error.code, message: content ? error.message : null },
      })),
    });
    return exitCodeOf(finished);
  }
  const { columns, colour } = terminal;
  const short = shortRunId(run.runId);
  const place = `${short}/${instance.instanceId}`;
  const own = methods.find((each) => each.method === arm && each.n === n);
  if (finished !== null) {
    const runDir = await copyRunFolder({ invocation, home, runId: finished.decision.runId });
    const cellPlace = methods.length > 1 ? `${place}/${arm}.n${n}` : place;
    const next = [
      [`testgrad show ${cellPlace}/y${finished.decision.steps.at(-1)?.step ?? 0}`, 'its last step'],
      [`testgrad view ${short}`, 'in the browser'],
    ] as const;
    terminal.out(renderResult({ model: reportOf(finished), columns, colour, places: { runDir, uiUrl: null, next } }));
  } else if (own !== undefined) {
    terminal.out(renderInstanceMethod({ own, instance: instance.instanceId, run: short, columns, colour }));
  }
  if (methods.length > 1 && !given) {
    const table = methodsTable({ methods, instance: instance.instanceId, command: `testgrad show ${place}/METHOD.nN` });
    terminal.out(`\n${renderTable({ table, columns, colour }).join('\n')}\n`);
  }
  return exitCodeOf(finished);
}

/** An instance without a decision was answered in another way, or says itself why it was not. */
const exitCodeOf = (finished: FinishedRun | null): number =>
  finished === null ? 0 : exitCodeOfDecision({ decision: finished.decision, requireDifferential: false });

/** How a run of the benchmark ended, as the store has it: a benchmark in work has answers too. */
async function endOf({ store, runId }: { store: ArtifactStore; runId: string }): Promise<ItemEnd | undefined> {
  const record = await itemOnRecord({ store, runId, attempt: 0 });
  if (record === null) return undefined;
  if (record.kind === 'finished') return { kind: 'finished', runId, result: record.ref };
  const { code, message } = record.outcome;
  return { kind: 'error', runId, code, message };
}

function methodOf({ arm, n, runId, scored }: InstanceCell): InstanceMethod {
  const common = { method: arm.name, n, item: runId };
  if (scored === null) {
    return { ...common, decidedBy: null, selected: null, result: null, steps: 0, tokens: 0, reason: '', error: null };
  }
  const { chosen, candidates, decidedBy, steps, usage } = scored.record;
  const selected = chosen === null ? undefined : candidates[chosen];
  return {
    ...common,
    ...{ decidedBy, steps, reason: scored.reason, error: scored.error },
    selected: selected?.agent ?? null,
    result: selected?.resolution ?? null,
    tokens: usage.inputTokens + usage.outputTokens,
  };
}

function shownCell({
  run,
  named: { instance, arm, n },
  runId,
  plan,
}: {
  run: RunRecord;
  named: NamedInstance;
  runId: string | null;
  plan: BenchmarkPlan;
}): ShownRun {
  const { instanceId } = instance;
  return {
    label: `${arm} with ${n} agents on ${instanceId}`,
    tests: `testgrad view ${shortRunId(run.runId)}`,
    others: plan.arms.map(({ name }) => name),
    identity: { run: run.runId, instance: instanceId, method: arm, n, item: runId },
  };
}

/** TG-R05 for a part of something that has none: only TestGRAD's own runs have steps, tests and candidates to show. */
function nothingToOpen({
  run,
  named: { instance, arm, n, part },
  cells,
  plan,
}: {
  run: RunRecord;
  named: NamedInstance;
  cells: readonly InstanceCell[];
  plan: BenchmarkPlan;
}): ResultError {
  const { instanceId } = instance;
  const cell = cells.find((each) => each.arm.name === arm && each.n === n);
  const why =
    cell?.scored === null
      ? 'it has not ended'
      : cell?.scored?.error
        ? `it ended with an error (${cell.scored.error.code})`
        : cell?.runId === null
          ? 'the candidates answered it without a run'
          : 'the method writes and compares no tests step by step';
  const close = closeNames({ name: part, known: plan.arms.map(({ name }) => name) });
  return new ResultError({
    code: 'TG-R05',
    what: `${arm} with ${n} agents on ${instanceId} has no ${JSON.stringify(part)}: ${why}.${perhaps(close)}`,
    meaning: 'There is nothing to show.',
    fix: `testgrad show ${shortRunId(run.runId)}/${instanceId} says how every method ended on it.`,
  });
}
