/** `test_x (package.module.Class.test_x)`, as unittest names a test since Python 3.11. */
const LONG_NAME = /(?<![^\n])((?:FAIL|ERROR): )?(\w+) \(([\w.]+)\.\2\)/g;
/** A name on a line of its own, and below it the first line of the test's docstring with the result. */
const DESCRIBED = /(?<![^\n])(\w+ \([\w.]+\))\n[^\n]*( \.\.\. (?:ok|FAIL|ERROR|skipped '[^\n]*'))(?![^\n])/g;

/**
 * A unittest log with the names that are expected, for runs outside of an instance's own image, where interpreter and
 * runner may be later ones than those that the expected names were recorded with. Logs of an image must not be changed.
 *
 * Names of Python 3.11 become the older `test_x (package.module.Class)` where none of the former is expected, and a test
 * with a docstring is told under its own name too, in a line behind the docstring's, where that name is expected.
 */
export function withExpectedNames({ log, expected }: { log: string; expected: readonly string[] }): string {
  const isLong = expected.some((name) => /^(\w+) \([\w.]+\.\1\)$/.test(name));
  const older = isLong ? log : log.replace(LONG_NAME, '$1$2 ($3)');
  const names = new Set(expected);
  return older.replace(DESCRIBED, (whole, name: string, result: string) =>
    names.has(name) ? `${whole}\n${name}${result}` : whole,
  );
}
