import type { MatrixRow } from './matrix.js';
import { changeOf } from './origin.js';
import type { EditedSuite } from './reach.js';

/**
 * Rows of one test that ended alike and were judged alike, over its parameters or the classes that inherit it: one of
 * them says it all. Groups and their members in the order of the rows.
 *
 * @param definitionOf where a test of the project is defined: the same for all classes that inherit it
 */
export function groupsOfOneTest({
  rows,
  suite,
  definitionOf,
}: {
  rows: readonly MatrixRow[];
  suite: EditedSuite;
  definitionOf: (testId: string) => string;
}): MatrixRow[][] {
  const groups = new Map<string, MatrixRow[]>();
  for (const row of rows) {
    const statuses = Object.values(row.cells).map((cell) => cell.status);
    // A test that several classes inherit has one body.
    const change = row.origin === 'original' ? null : changeOf({ suite, testId: row.testId });
    const where = change === null ? definitionOf(row.testId) : `${change.file} ${change.name}`;
    const key = `${where} ${statuses.join()} ${row.base.status} ${row.judgement?.class ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()];
}
