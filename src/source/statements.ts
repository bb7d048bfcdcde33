import type { StatementSequence } from '../core/failure-memory.js';
import { firstIndent } from './indentation.js';
import { type Scope, scopeOf } from './local-names.js';
import { oneLine } from './one-line.js';
import { isExtra, loadPython, type PythonNode } from './parser.js';
import { statementKey } from './statement-key.js';

/** Clauses of a compound statement: each has a header and a body of its own. */
const CLAUSES = new Set([
  'elif_clause',
  'else_clause',
  'except_clause',
  'except_group_clause',
  'finally_clause',
  'case_clause',
]);

interface Item {
  readonly key: string;
  readonly text: string;
}

interface FlattenInput {
  readonly scope: Scope | null;
  readonly source: string;
  readonly abstractLiterals: boolean;
  readonly items: Item[];
}

/**
 * The statements of a test function as normalised keys with their text, one sequence a function.
 *
 * `source` is one function, or a class, whose methods give a sequence each; it may be indented. The body is flattened in
 * the order of the text: decorators first, a compound statement's header before its body, inner functions likewise;
 * docstrings, comments and `pass` are left out. Keys: see {@link statementKey}. With `abstractLiterals` strings and
 * numbers are replaced by their kind. A source that does not parse gives one sequence of its lines.
 */
export async function statementSequences({
  source,
  abstractLiterals,
}: {
  readonly source: string;
  readonly abstractLiterals: boolean;
}): Promise<readonly StatementSequence[]> {
  const python = await loadPython();
  const text = firstIndent(source) === '' ? source : `if 1:\n${source}`;
  return python({
    text,
    use: (root) =>
      root.hasError
        ? [linesAsSequence(source)]
        : sequencesIn({ node: root, owner: '', source: text, abstractLiterals }),
  });
}

function sequencesIn({
  node,
  owner,
  source,
  abstractLiterals,
}: {
  readonly node: PythonNode;
  readonly owner: string;
  readonly source: string;
  readonly abstractLiterals: boolean;
}): StatementSequence[] {
  return node.namedChildren.flatMap((child) => {
    const definition = child.type === 'decorated_definition' ? child.childForFieldName('definition') : child;
    const name = owner + (definition?.childForFieldName('name')?.text ?? '');
    const body = definition?.childForFieldName('body') ?? null;
    if (definition?.type === 'function_definition' && body !== null) {
      const items: Item[] = [];
      const outside = { scope: null, source, abstractLiterals, items };
      flattenDecorators({ statement: child, ...outside });
      flattenBody({ body, ...outside, scope: scopeOf({ node: definition, outer: null }) });
      return [{ name, keys: items.map(({ key }) => key), texts: items.map(({ text }) => text) }];
    }
    const isClass = definition?.type === 'class_definition';
    const inner = isClass ? body : child.type === 'if_statement' || child.type === 'block' ? child : null;
    return inner === null
      ? []
      : sequencesIn({ node: inner, owner: isClass ? `${name}::` : owner, source, abstractLiterals });
  });
}

function flattenBody({ body, ...rest }: FlattenInput & { readonly body: PythonNode }): void {
  const statements = statementsOf(body);
  const first = statements[0];
  flattenStatements({
    ...rest,
    statements: first !== undefined && isDocstring(first) ? statements.slice(1) : statements,
  });
}

function flattenStatements({ statements, ...rest }: FlattenInput & { readonly statements: readonly PythonNode[] }) {
  for (const statement of statements) {
    const definition = statement.childForFieldName('definition') ?? statement;
    if (definition.type === 'function_definition' || definition.type === 'class_definition') {
      flattenDecorators({ statement, ...rest });
      flattenDefinition({ definition, ...rest });
    } else if (statement.type !== 'pass_statement') {
      flattenStatement({ statement, ...rest });
    }
  }
}

/** A simple statement as one item; a compound one as its header, its body, and its clauses in the same way. */
function flattenStatement({ statement, ...rest }: FlattenInput & { readonly statement: PythonNode }): void {
  const children = statement.children.filter((child) => !isExtra(child));
  const bodyAt = children.findIndex((child) => child.type === 'block');
  const body = children[bodyAt];
  if (body === undefined) {
    push({ nodes: [statement], ...rest });
    return;
  }
  push({ nodes: children.slice(0, bodyAt), ...rest });
  flattenStatements({ statements: statementsOf(body), ...rest });
  for (const clause of children.slice(bodyAt + 1).filter((child) => CLAUSES.has(child.type))) {
    flattenStatement({ statement: clause, ...rest });
  }
}

function flattenDefinition({ definition, ...rest }: FlattenInput & { readonly definition: PythonNode }): void {
  const inner = scopeOf({ node: definition, outer: rest.scope });
  const body = definition.childForFieldName('body');
  const header = definition.children.filter((child) => child.type !== 'block' && !isExtra(child));
  push({ ...rest, nodes: header, scope: definition.type === 'class_definition' ? rest.scope : inner });
  if (body !== null) {
    flattenBody({ ...rest, body, scope: inner });
  }
}

function flattenDecorators({ statement, ...rest }: FlattenInput & { readonly statement: PythonNode }): void {
  for (const decorator of statement.namedChildren.filter((child) => child.type === 'decorator')) {
    push({ nodes: [decorator], ...rest });
  }
}

function push({
  nodes,
  scope,
  source,
  abstractLiterals,
  items,
}: FlattenInput & { readonly nodes: readonly PythonNode[] }) {
  items.push({
    key: statementKey({ nodes, context: { scope, abstractLiterals } }),
    text: oneLine({ nodes, source }),
  });
}

const statementsOf = (block: PythonNode): PythonNode[] => block.namedChildren.filter((child) => !isExtra(child));

function isDocstring(statement: PythonNode): boolean {
  const only = statement.type === 'expression_statement' ? statement.namedChildren[0] : undefined;
  return only?.type === 'string' || only?.type === 'concatenated_string';
}

/** The stand-in for a source that does not parse: its lines as they are, without the function's own header. */
function linesAsSequence(source: string): StatementSequence {
  const lines = source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const header = lines.findIndex((line) => /^(async\s+)?def\s/.test(line));
  const name = /def\s+(\w+)/.exec(lines[header] ?? '')?.[1] ?? '';
  const texts = lines.filter((_, index) => index !== header);
  return { name, keys: texts, texts };
}
