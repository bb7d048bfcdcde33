import type { PythonNode } from './parser.js';

/** One name of an import statement. */
export interface ImportedName {
  /** Dotted name as written: `os.path` of `import os.path`, `Error` of `from a import Error`. */
  readonly name: string;
  readonly alias: string | null;
  readonly start: number;
  readonly end: number;
}

/** An import statement of a module's body or of a branch in it. */
export interface ImportStatement {
  /** Module of a `from` import as written, dots included; null for a plain `import`. */
  readonly module: string | null;
  readonly names: readonly ImportedName[];
  readonly wildcard: boolean;
  readonly start: number;
  readonly end: number;
  /** Index of the closing parenthesis, or -1. */
  readonly closing: number;
  /** Empty at the top level of the module; see the outline's blocks. */
  readonly branch: string;
}

/** Reads an `import_statement`, `import_from_statement` or `future_import_statement`. */
export function importOf(node: PythonNode): Omit<ImportStatement, 'branch'> {
  const children = node.children;
  const isFrom = node.type !== 'import_statement';
  const at = children.findIndex((child) => child.type === 'import');
  const named = children.slice(at + 1);
  return {
    module: isFrom ? children.slice(1, at).map(compact).join('') : null,
    names: named
      .filter((child) => child.type === 'dotted_name' || child.type === 'aliased_import')
      .map((child) => ({
        name: compact(child.childForFieldName('name') ?? child),
        alias: child.childForFieldName('alias')?.text ?? null,
        start: child.startIndex,
        end: child.endIndex,
      })),
    wildcard: named.some((child) => child.type === 'wildcard_import'),
    start: node.startIndex,
    end: node.endIndex,
    closing: children.findLast((child) => child.type === ')')?.startIndex ?? -1,
  };
}

/**
 * What a name stands for after the import, and its full origin: `import a.b` binds `a` to `a`, `import a.b as c` binds
 * `c` to `a.b`, `from a import b` binds `b` to `a.b`.
 */
export function boundBy({
  module,
  name,
}: {
  readonly module: string | null;
  readonly name: Pick<ImportedName, 'name' | 'alias'>;
}): { readonly bound: string; readonly target: string } {
  if (module !== null) {
    return { bound: name.alias ?? name.name, target: `${module}${module.endsWith('.') ? '' : '.'}${name.name}` };
  }
  const top = name.name.split('.')[0] ?? name.name;
  return name.alias === null ? { bound: top, target: top } : { bound: name.alias, target: name.name };
}

const compact = (node: PythonNode): string => node.text.replace(/\s+/g, '');
