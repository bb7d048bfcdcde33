import { type BenchmarkSummary, benchmarkSummary } from '../core/metrics/benchmark-summary.js';
import { candidateTable } from '../core/metrics/candidate-table.js';
import { isMixed } from '../core/metrics/credit.js';
import { passAtOne } from '../core/metrics/pass-at-one.js';
import type { InstanceRecord } from '../core/metrics/record.js';
import { recordsByMethod } from '../core/metrics/records-by-method.js';
import { benchmarkReport } from './benchmark-report.js';
import type { BenchmarkPage, InstanceEnd, InstanceRow, RepositoryRow } from './page-data-rows.js';
import { safeLine } from './safe-text.js';

/** An error that a method ended with on an instance, as a line of `errors.jsonl` has it. */
export interface EndedWithError {
  readonly instance_id: string;
  readonly method: string;
  readonly n: number;
  readonly code: string;
  readonly message: string;
}

/** What a benchmark's page is made from. */
export interface BenchmarkMaterial {
  /** Of all methods, and of all numbers of candidates. */
  readonly records: readonly InstanceRecord[];
  /** Why records ended with an error; what is not told is left open. */
  readonly errors: readonly EndedWithError[];
  /** Instances that each method should have. */
  readonly expected: readonly string[];
  /** Method that cards and charts are about; default `testgrad`, else the first one. */
  readonly reference?: string | undefined;
  /** Instances that have a page of their own. */
  readonly detailed: ReadonlySet<string>;
}

/**
 * The page of a benchmark. Cards, charts and the table of repositories tell of the reference method, with the most
 * candidates that records have. Throws a RangeError without records.
 */
export function benchmarkPage({ records, errors, expected, reference, detailed }: BenchmarkMaterial): BenchmarkPage {
  const known = [...recordsByMethod(records).keys()];
  const first = reference ?? (known.includes('testgrad') ? 'testgrad' : (known[0] ?? ''));
  const summary = benchmarkSummary({ records, expected, reference: first });
  const report = benchmarkReport(summary);
  const shown = records.filter(({ candidates }) => candidates.length === summary.n);
  const own = shown.filter(({ method }) => method === first);
  const methods = [first, ...known.filter((method) => method !== first)];
  return {
    summary: safeSummary(summary),
    tables: report.tables,
    warnings: report.warnings.map(safeLine),
    agents: summary.agents.map(safeLine),
    methods: methods.map(safeLine),
    repositories: repositoryRows(own),
    picks: pickRows({ records: own, agents: summary.agents }),
    instances: instanceRows({ records: shown, errors: errors.filter(({ n }) => n === summary.n), methods, detailed }),
  };
}

/** Names in a summary come from file names and records; the lists of instances are in the table already. */
function safeSummary(summary: BenchmarkSummary): BenchmarkSummary {
  return JSON.parse(JSON.stringify(summary), (_, value: unknown) =>
    typeof value === 'string' ? safeLine(value) : value,
  ) as BenchmarkSummary;
}

/** `django/django` of `django__django-12325`; the id itself where it does not name one. */
export function repositoryOf(instanceId: string): string {
  const found = /^(.+?)__(.+)-[^-]+$/.exec(instanceId);
  return found === null ? instanceId : `${found[1]}/${found[2]}`;
}

function repositoryRows(records: readonly InstanceRecord[]): RepositoryRow[] {
  const names = [...new Set(records.map(({ instanceId }) => repositoryOf(instanceId)))].sort();
  return names.map((repository) => {
    const own = records.filter(({ instanceId }) => repositoryOf(instanceId) === repository);
    const { instances, resolved, rate, interval, errors } = passAtOne(own);
    const fallbacks = own.filter(({ decidedBy }) => decidedBy === 'fallback').length;
    return { repository: safeLine(repository), instances, resolved, rate, interval, fallbacks, errors };
  });
}

function pickRows({ records, agents }: { records: readonly InstanceRecord[]; agents: readonly string[] }) {
  return agents.map((agent, index) => {
    const own = records.filter(({ chosen }) => chosen === index);
    const resolved = own.filter(({ candidates }) => candidates[index]?.resolution === 'resolved').length;
    return { agent: safeLine(agent), picked: own.length, resolved };
  });
}

function instanceRows({
  records,
  errors,
  methods,
  detailed,
}: {
  records: readonly InstanceRecord[];
  errors: readonly EndedWithError[];
  methods: readonly string[];
  detailed: ReadonlySet<string>;
}): InstanceRow[] {
  const byKey = new Map(records.map((record) => [`${record.method}\n${record.instanceId}`, record]));
  // The first that is told of an end counts, so that it is put in last.
  const errorOf = new Map(errors.toReversed().map((each) => [`${each.method}\n${each.instance_id}`, each]));
  return candidateTable(records).rows.map(({ instanceId, candidates }) => {
    const ends = methods.map((method) => {
      const key = `${method}\n${instanceId}`;
      const record = byKey.get(key);
      return record === undefined ? null : { ...endOf(record), error: errorText(errorOf.get(key)) };
    });
    const results = new Set(ends.flatMap((end) => (end === null || end.average ? [] : [end.result === 'resolved'])));
    return {
      id: safeLine(instanceId),
      repository: safeLine(repositoryOf(instanceId)),
      ends,
      candidates: candidates.map(({ state, resolution }) => ({ state, resolution })),
      different: results.size > 1,
      detailed: detailed.has(instanceId),
    };
  });
}

const errorText = (error: EndedWithError | undefined): string =>
  error === undefined ? '' : safeLine(`${error.code} ${error.message}`);

function endOf(record: InstanceRecord): Omit<InstanceEnd, 'error'> {
  const { chosen, among, decidedBy, candidates, separations, steps, usage, durations } = record;
  const result = (chosen === null ? undefined : candidates[chosen]?.resolution) ?? 'unknown';
  const byTest = decidedBy === 'existing-test' || decidedBy === 'updated-test' || decidedBy === 'created-test';
  const average = chosen === null && among.length > 0;
  const missed = !average && result !== 'resolved' && candidates.some(({ resolution }) => resolution === 'resolved');
  const lucky = result === 'resolved' && !byTest && isMixed(record);
  return {
    decidedBy,
    chosen,
    result: chosen === null && !average ? 'unresolved' : result,
    average,
    flag: missed ? 'wrong-pick' : lucky ? 'near-miss' : null,
    steps,
    tokens: usage.inputTokens + usage.outputTokens,
    minutes: durations.wallMs / 60_000,
    test: safeLine(separations.find(({ deciding }) => deciding)?.testId ?? ''),
  };
}
