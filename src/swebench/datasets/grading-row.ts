/**
 * What decides whether an instance is resolved: never shown to a selection, and kept in a file of its own.
 *
 * Only what evaluates may import `read-grading-rows.ts`; a test holds that.
 */
export interface GradingRow {
  readonly schema: 'testgrad.grading-row/1';
  readonly instanceId: string;
  /** False where the row lacks tests to grade with; such an instance can be selected for and not scored. */
  readonly gradable: boolean;
  /** The developers' fix; text with its line ends as in the dataset. */
  readonly patch: string;
  readonly testPatch: string;
  readonly failToPass: readonly string[];
  readonly passToPass: readonly string[];
  /** Script that grades (v5); null in other shapes. */
  readonly evalScript: string | null;
  readonly hints: string;
  /** All other fields of the row that a selection does not see, under their own names. */
  readonly others: Readonly<Record<string, unknown>>;
}
