/** Which family a row of a dataset belongs to; told by its fields, not by the dataset's name. */
export type RowShape = 'v4' | 'v5' | 'pro' | 'live';

/**
 * What a selection may know of an instance of a benchmark.
 *
 * A list of what is let through, so that a field that a dataset gains is hidden until someone decides on it. The gold
 * patch, the tests that grade, hints (written while the fix was made), and all that is derived from the fix (its
 * commit, its difficulty, the files that its tests touch) stand in `GradingRow`.
 */
export interface SelectionRow {
  readonly schema: 'testgrad.selection-row/1';
  readonly instanceId: string;
  readonly shape: RowShape;
  /** `owner/name`. */
  readonly repo: string;
  readonly baseCommit: string;
  /** The issue's text; for Pro with its requirements and interface, which its agents were given too. */
  readonly issue: string;
  /** Version of the project, from which a harness of version 4 derives environment and test command. */
  readonly version: string | null;
  readonly environmentSetupCommit: string | null;
  readonly createdAt: string | null;
  /** `python`, `go`, … where the row says it. */
  readonly language: string | null;
  /** Container image as the row names it, whole; null where it follows from the id. */
  readonly image: string | null;
  /** Tag of the image in the dataset's own repository of images (Pro). */
  readonly imageTag: string | null;
  readonly logParser: string | null;
  readonly evalType: 'pass_and_fail' | 'fail_only' | null;
  /** Shell lines that start the project's tests, without the files of the tests that grade; empty where unknown. */
  readonly testCommands: readonly string[];
}
