import type { HarnessRules } from '../logs/log-parser.js';
import { type ExpectedVerdicts, resolutionOf, type TestVerdicts } from './expected-tests.js';
import type { InfraFailure } from './infra-failure.js';

/** What `report.json` says about an instance, in the harness's own words. */
export interface InstanceReport {
  readonly patch_is_None: boolean;
  readonly patch_exists: boolean;
  /** Really: the log could be graded. */
  readonly patch_successfully_applied: boolean;
  readonly resolved: boolean;
  /** v5: the environment broke; advisory. */
  readonly infra_failure?: boolean;
  readonly infra_failure_reason?: string;
  readonly tests_status?: Readonly<
    Record<'FAIL_TO_PASS' | 'PASS_TO_PASS' | 'FAIL_TO_FAIL' | 'PASS_TO_FAIL', TestVerdicts>
  >;
}

const NONE: TestVerdicts = { success: [], failure: [] };

/** The report of an instance whose patch was run; `verdicts` is null when its log could not be graded. */
export function instanceReport({
  rules,
  verdicts,
  infra,
}: {
  rules: HarnessRules;
  verdicts: ExpectedVerdicts | null;
  infra: InfraFailure | null;
}): InstanceReport {
  return {
    patch_is_None: false,
    patch_exists: true,
    patch_successfully_applied: verdicts !== null,
    resolved: verdicts !== null && resolutionOf(verdicts) === 'full',
    ...(rules === 'v5' ? { infra_failure: infra?.tier === 'environment' } : {}),
    ...(infra === null ? {} : { infra_failure_reason: infra.reason }),
    ...(verdicts === null
      ? {}
      : {
          tests_status: {
            FAIL_TO_PASS: verdicts.failToPass,
            PASS_TO_PASS: verdicts.passToPass,
            FAIL_TO_FAIL: NONE,
            PASS_TO_FAIL: NONE,
          },
        }),
  };
}

/** JSON as Python's `json.dumps(…, indent=4)` writes it, character for character. */
export function pythonJson(value: unknown): string {
  return JSON.stringify(value, null, 4).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
