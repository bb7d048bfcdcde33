import type { HarnessRules, LogParser } from '../logs/log-parser.js';
import { universalNewlines } from '../logs/python-text.js';
import { type EvalType, type ExpectedTests, judgeExpected, type Resolution, resolutionOf } from './expected-tests.js';
import { classifyFailure, type InfraFailure } from './infra-failure.js';
import { type InstanceReport, instanceReport } from './instance-report.js';
import { readStatuses, type UnusableReason } from './read-statuses.js';

/** What a log says about a patch. */
export type Grade =
  | {
      readonly kind: 'graded';
      readonly resolution: Resolution;
      readonly report: InstanceReport;
      /** Expected tests that the official report has in no list. */
      readonly unaccounted: readonly string[];
    }
  | {
      /** No verdict on any test; the official report says that the patch was not applied. */
      readonly kind: 'unusable';
      readonly reason: UnusableReason;
      readonly infra: InfraFailure | null;
      readonly report: InstanceReport;
    }
  /** The harness breaks off on this line and writes no report. */
  | { readonly kind: 'unparsable'; readonly line: string };

/** Grades the log of one evaluation script as the harness does (`get_eval_report`). */
export function gradeLog({
  log,
  parser,
  rules,
  evalType,
  expected,
}: {
  log: string;
  parser: LogParser;
  rules: HarnessRules;
  evalType: EvalType;
  expected: ExpectedTests;
}): Grade {
  const found = readStatuses({ log, parser, rules });
  if (found.kind === 'unparsable') return found;
  if (found.kind === 'unusable') {
    const infra = rules === 'v5' ? classifyFailure(universalNewlines(log)) : null;
    return { ...found, infra, report: instanceReport({ rules, verdicts: null, infra }) };
  }
  const verdicts = judgeExpected({ expected, statuses: found.statuses, rules, evalType });
  return {
    kind: 'graded',
    resolution: resolutionOf(verdicts),
    report: instanceReport({ rules, verdicts, infra: null }),
    unaccounted: verdicts.unaccounted,
  };
}
