import type { BenchmarkSummary } from '../core/metrics/benchmark-summary.js';
import type { BenchmarkTable } from './benchmark-cells.js';
import {
  agreementTable,
  decidedTable,
  gapNotes,
  momentumTable,
  separationsTable,
  stepsTable,
} from './benchmark-detail-tables.js';
import { comparisonTable, ensembleTable, gapsOf, methodsTable, overheadTable } from './benchmark-method-tables.js';

/** A benchmark's report: sentences that nobody should miss, then tables. Terminal, Markdown and CSV are made from it. */
export interface BenchmarkReport {
  readonly title: string;
  readonly warnings: readonly string[];
  readonly tables: readonly BenchmarkTable[];
}

/** The report of a summary; tables without anything to show are left out. */
export function benchmarkReport(summary: BenchmarkSummary): BenchmarkReport {
  const tables = [
    methodsTable(summary),
    comparisonTable(summary),
    overheadTable(summary),
    ensembleTable(summary),
    decidedTable(summary),
    separationsTable(summary),
    stepsTable(summary),
    momentumTable(summary),
    agreementTable(summary),
  ];
  const { instances, agents, methods, details } = summary;
  return {
    title: `Benchmark: ${instances} instances, ${agents.length} agents, ${methods.rows.length} methods`,
    warnings: [...details.flatMap(gapNotes), ...methods.rows.flatMap(gapsOf)],
    tables: tables.filter((table) => table !== null),
  };
}
