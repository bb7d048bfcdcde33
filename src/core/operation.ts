import type { Operation, Suite } from './suite.js';

/** Qualified name of what an operation writes or removes; of the class where a create brings a whole one. */
export function targetOf(operation: Operation): string {
  if (operation.op === 'create') {
    const { className, name, source } = operation;
    if (className === undefined) return name;
    return /^class\s+(\w+)/m.exec(source)?.[1] === className ? className : `${className}::${name}`;
  }
  const prefix = `${operation.file}::`;
  const name = operation.test.startsWith(prefix) ? operation.test.slice(prefix.length) : operation.test;
  return name.replace(/\[.*$/s, '');
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
