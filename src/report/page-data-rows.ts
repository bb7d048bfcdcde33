import type { BenchmarkSummary } from '../core/metrics/benchmark-summary.js';
import type { Interval } from '../core/metrics/interval.js';
import type { DecidedBy, RecordedCandidate, Resolution } from '../core/metrics/record.js';
import type { BenchmarkTable } from './benchmark-cells.js';

/** A benchmark over many instances. */
export interface BenchmarkPage {
  readonly summary: BenchmarkSummary;
  readonly tables: readonly BenchmarkTable[];
  readonly warnings: readonly string[];
  readonly agents: readonly string[];
  /** Methods in the order of the records, the reference first. */
  readonly methods: readonly string[];
  readonly repositories: readonly RepositoryRow[];
  readonly picks: readonly { readonly agent: string; readonly picked: number; readonly resolved: number }[];
  readonly instances: readonly InstanceRow[];
}

/** One repository with the reference method. */
export interface RepositoryRow {
  readonly repository: string;
  readonly instances: number;
  readonly resolved: number;
  readonly rate: number;
  readonly interval: Interval | null;
  readonly fallbacks: number;
  readonly errors: number;
}

/** One instance in the table of instances. */
export interface InstanceRow {
  readonly id: string;
  readonly repository: string;
  /** One for each method, in the order of methods; null where the method has no record. */
  readonly ends: readonly (InstanceEnd | null)[];
  readonly candidates: readonly Pick<RecordedCandidate, 'state' | 'resolution'>[];
  /** True when methods differ in whether the instance is resolved. */
  readonly different: boolean;
  /** True when there is a page for it. */
  readonly detailed: boolean;
}

/** How one method ended on one instance. */
export interface InstanceEnd {
  readonly decidedBy: DecidedBy;
  /** Index of the selected agent; null when none was. */
  readonly chosen: number | null;
  readonly result: Resolution;
  /** True for a method that selects at random: its result is a mean over its choices, and none is one of them. */
  readonly average: boolean;
  /** `wrong-pick`: another candidate resolves it; `near-miss`: resolved without a test that decides, though some are wrong. */
  readonly flag: 'wrong-pick' | 'near-miss' | null;
  readonly steps: number;
  readonly tokens: number;
  readonly minutes: number;
  /** Id of the deciding test, or an empty text. */
  readonly test: string;
  /** `TG-M06 What happened.` where it ended with an error of ours, else empty. */
  readonly error: string;
}
