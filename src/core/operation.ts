import type { Operation, Suite } from './suite.js';

/**
 * Qualified name of the definition that an operation writes or removes, `Class::test` or `test`; of the class where a
 * create brings a whole one. A path in front and parameters behind, as in a test's id, are left out.
 */
export function targetOf(operation: Operation): string {
  if (operation.op !== 'create') return splitTest(operation).name;
  const { className, name, source } = operation;
  const [, kind, defined = ''] = /^[ \t]*(?:async[ \t]+)?(def|class)\s+(\w+)/m.exec(source) ?? [];
  const isWholeClass = kind === 'class' && (className === undefined || className === defined);
  if (isWholeClass) return defined;
  return className === undefined ? name : `${className}::${name}`;
}

/**
 * The row of a parametrised test that an operation addresses, `1-2` of `Class::test[1-2]`; null for a whole definition.
 * An update that gives a complete definition replaces the definition, whatever row its id names.
 */
export function rowOf(operation: Operation): string | null {
  if (operation.op === 'create') return null;
  if (operation.op === 'update' && /^\s*(@|(async\s+)?def\s|class\s)/.test(operation.source)) return null;
  return splitTest(operation).row;
}

function splitTest({ file, test }: { file: string; test: string }): { name: string; row: string | null } {
  const prefix = `${file}::`;
  const [, name = '', row] =
    /^([^[]*)(?:\[(.*?)\]?)?$/s.exec(test.startsWith(prefix) ? test.slice(prefix.length) : test) ?? [];
  return { name, row: row ?? null };
}

/** True when two operations write or remove the same thing: one definition, one row of it, or a row and its whole test. */
export function collide({ one, other }: { one: Operation; other: Operation }): boolean {
  if (one.file !== other.file || targetOf(one) !== targetOf(other)) return false;
  const rows = [rowOf(one), rowOf(other)];
  return rows.includes(null) || rows[0] === rows[1];
}

/** A definition covers itself and, when it is a class, what it holds. */
export const covers = ({ definition, name }: { definition: string; name: string }): boolean =>
  name === definition || name.startsWith(`${definition}::`);

/** True when an update created the definition, by itself or with its class. */
export function wasCreated({
  suite,
  file,
  name,
}: {
  suite: Pick<Suite, 'edits'>;
  file: string;
  name: string;
}): boolean {
  return operationsOf(suite).some(
    (operation) =>
      operation.op === 'create' && operation.file === file && covers({ definition: targetOf(operation), name }),
  );
}

/** True when an update replaced the class that holds the definition as a whole. */
export function cameWithItsClass({
  suite,
  file,
  name,
}: {
  suite: Pick<Suite, 'edits'>;
  file: string;
  name: string;
}): boolean {
  return operationsOf(suite).some((operation) => {
    if (operation.op !== 'update' || operation.file !== file) return false;
    const definition = targetOf(operation);
    return definition !== name && covers({ definition, name });
  });
}

/** True for what a runner calls as a test by its name; everything else is there for tests. */
export const isTestName = (name: string): boolean => /^test/i.test(name.split('::').at(-1) ?? '');

const operationsOf = (suite: Pick<Suite, 'edits'>): readonly Operation[] =>
  suite.edits.flatMap((edit) => edit.operations);
