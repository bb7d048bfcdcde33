import type { ArtifactStore } from '../../artifacts/store.js';
import { benchmarkSummary } from '../../core/metrics/benchmark-summary.js';
import type { InstanceRecord } from '../../core/metrics/record.js';
import { ResultError } from '../../errors.js';
import { renderBenchmark } from '../../report/benchmark-render.js';
import { benchmarkReport } from '../../report/benchmark-report.js';
import { shortRunId } from '../../report/short-run-id.js';
import { findBenchmark, notFinished } from '../benchmark/find.js';
import { findFinishedBenchmark } from '../benchmark/finish.js';
import { scoreBenchmark } from '../benchmark/score-benchmark.js';
import type { Invocation } from '../invocation.js';
import { homeFolder, openStore } from '../places.js';
import type { RunRecord } from '../run-index.js';

/**
 * `testgrad compare RUN RUN`: the methods of two benchmarks in one table, pair by pair on the instances that both have,
 * the first method of the first run as the reference.
 */
export async function compare(invocation: Invocation): Promise<number> {
  const { terminal, values, cwd } = invocation;
  const home = homeFolder(invocation);
  const store = await openStore(home);
  const [left, right] = [
    await findBenchmark({ home, reference: invocation.argument ?? '' }),
    await findBenchmark({ home, reference: invocation.second ?? '' }),
  ];
  if (left.runId === right.runId) throw nothingShared({ left, right, why: 'are one and the same' });
  const lefts = await recordsOf({ home, cwd, store, record: left });
  const rights = await recordsOf({ home, cwd, store, record: right });
  const shared = new Set(lefts.map(idOf).filter((id) => rights.some((record) => idOf(record) === id)));
  const candidates = Math.max(...lefts.map(sizeOf));
  const records = [named({ record: left, records: lefts }), named({ record: right, records: rights })]
    .flat()
    .filter((record) => shared.has(idOf(record)) && sizeOf(record) === candidates);
  const [first] = records;
  if (first === undefined || !records.some(({ method }) => method.endsWith(`@${shortRunId(right.runId)}`))) {
    throw nothingShared({ left, right, why: 'share no instance with the same number of agents' });
  }
  const report = benchmarkReport(benchmarkSummary({ records, expected: [...shared], reference: first.method }));
  const alone = { left: countAlone({ records: lefts, shared }), right: countAlone({ records: rights, shared }) };
  if (values.on('json')) {
    terminal.json({
      schema: 'testgrad.compare/1',
      runs: [left.runId, right.runId],
      instances: shared.size,
      alone,
      report,
    });
    return 0;
  }
  terminal.out(renderBenchmark({ report, columns: terminal.columns, colour: terminal.colour }));
  terminal.note(
    `${shared.size} instances that both have; ${alone.left} only the first, ${alone.right} only the second.`,
  );
  return 0;
}

const idOf = ({ instanceId }: InstanceRecord): string => instanceId;
const sizeOf = ({ candidates }: InstanceRecord): number => candidates.length;

const countAlone = ({ records, shared }: { records: readonly InstanceRecord[]; shared: ReadonlySet<string> }): number =>
  new Set(records.map(idOf).filter((id) => !shared.has(id))).size;

const named = ({ record, records }: { record: RunRecord; records: readonly InstanceRecord[] }): InstanceRecord[] =>
  records.map((each) => ({ ...each, method: `${each.method}@${shortRunId(record.runId)}` }));

async function recordsOf({
  home,
  cwd,
  store,
  record,
}: {
  home: string;
  cwd: string;
  store: ArtifactStore;
  record: RunRecord;
}): Promise<readonly InstanceRecord[]> {
  const end = await findFinishedBenchmark({ store, runId: record.runId });
  if (end === null) throw notFinished(record);
  return (await scoreBenchmark({ home, cwd, store, record, end })).records;
}

function nothingShared({ left, right, why }: { left: RunRecord; right: RunRecord; why: string }): ResultError {
  return new ResultError({
    code: 'TG-R05',
    what: `Runs ${shortRunId(left.runId)} and ${shortRunId(right.runId)} ${why}.`,
    meaning: 'Methods are compared instance by instance, on the same candidates.',
    fix: 'Compare runs of one dataset with as many agents: testgrad status.',
  });
}
