/** Where an evaluation runs, in the words of its own file system. */
export interface PlaceLayout {
  /** Absolute path of the repository: a clean checkout of the instance. */
  readonly root: string;
  /** Absolute path at which the patch lies. */
  readonly patchFile: string;
  /** Absolute path at which the evaluation script lies. */
  readonly scriptFile: string;
  /** Shell lines that make the environment of the instance the current one. */
  readonly activate: readonly string[];
  /**
   * True for an official image, or one that is laid out like it: a row's own script fits, and the project is installed
   * again after the patch, as the harness does. Elsewhere the tests run on the tree as it is.
   */
  readonly isImage: boolean;
  /**
   * True where the interpreter is the one with which the names of the expected tests were recorded. With a later one
   * unittest's names are read as `withExpectedNames` says.
   */
  readonly hasRecordedNames: boolean;
  /** Commit that test files are put back to; the instance's base commit where it is null. */
  readonly baseRef: string | null;
}

/** The layout of the official images. */
export const IMAGE_LAYOUT: PlaceLayout = {
  root: '/testbed',
  patchFile: '/tmp/patch.diff',
  scriptFile: '/eval.sh',
  activate: ['source /opt/miniconda3/bin/activate', 'conda activate testbed'],
  isImage: true,
  hasRecordedNames: true,
  baseRef: null,
};
