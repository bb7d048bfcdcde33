import { counted } from '../core/counted.js';

/** What a suite holds before it runs, for Temporal's pages: `212 tests in 3 files`, `213 tests in 3 files, 1 edited`. */
export function suiteSize({
  tests,
  testFiles,
  edited,
}: {
  /** Each parametrisation counts, as on the base. Undefined where an older worker did not count them. */
  tests: number | undefined;
  /** Undefined where an older worker did not count them. */
  testFiles: number | undefined;
  /** Tests that the last update touched. */
  edited: number;
}): string {
  const files = testFiles === undefined ? 'suite' : counted(testFiles, 'file');
  if (tests === undefined) return edited === 0 ? files : `${files}, ${counted(edited, 'test')} edited`;
  const size = `${counted(tests, 'test')} in ${files}`;
  return edited === 0 ? size : `${size}, ${edited} edited`;
}
