import { counted } from '../core/counted.js';

/** What a suite holds before it runs, for Temporal's pages: `3 files`, `3 files, 1 test edited`. */
export function suiteSize({
  testFiles,
  edited,
}: {
  /** Undefined where an older worker did not count them. */
  testFiles: number | undefined;
  /** Tests that the last update touched. */
  edited: number;
}): string {
  const files = testFiles === undefined ? 'suite' : counted(testFiles, 'file');
  return edited === 0 ? files : `${files}, ${counted(edited, 'test')} edited`;
}
