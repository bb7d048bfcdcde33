import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { lineStart, positionOf } from './lines.js';
import { recentTrees, type TreeSource } from './recent-trees.js';

/** A node of a Python syntax tree; offsets are UTF-16 indices into the parsed text, rows count from 0. */
export type PythonNode = Node;

/** Parses text and hands the tree's root to `use`, whose nodes may not be kept: the tree is freed at some time after. */
export type UsePython = <T>(input: { readonly text: string; readonly use: (root: PythonNode) => T }) => T;

/** A parsed text whose owner must call `dispose`: the tree lives outside of the garbage collector's reach. */
export interface PythonTree {
  readonly text: string;
  readonly root: PythonNode;
  readonly dispose: () => void;
}

/** The first place that Python would refuse; line and column count from 1. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  /** The line, trimmed and at most 160 characters long. */
  readonly excerpt: string;
}

let loading: Promise<{ readonly parser: Parser; readonly trees: TreeSource }> | undefined;

/** Loads the grammar on the first call and resolves to a synchronous parser; the only I/O of this folder. */
export async function loadPython(): Promise<UsePython> {
  const { trees } = await loadParser();
  return ({ text, use }) => trees.withTree({ text, use: ({ rootNode }) => use(rootNode) });
}

/** Parses a text; never throws on bad syntax. Prefer {@link loadPython} where the tree need not outlive a call. */
export async function parsePython(text: string): Promise<PythonTree> {
  const { parser } = await loadParser();
  const tree = parse({ parser, text });
  return { text, root: tree.rootNode, dispose: () => tree.delete() };
}

/** The first syntax error of a text, or null; sees neither names nor what only Python's compiler rejects. */
export async function findSyntaxError(text: string): Promise<SyntaxProblem | null> {
  const python = await loadPython();
  return python({ text, use: (root) => syntaxProblemOf({ root, text }) });
}

/**
 * The first syntax error below a node, or null.
 *
 * Finds error and missing nodes, and what the grammar lets pass although Python does not: a block without a
 * statement, and a statement that is indented differently from its neighbours.
 */
export function syntaxProblemOf({
  root,
  text,
  within = { start: 0, end: text.length },
}: {
  readonly root: PythonNode;
  readonly text: string;
  /** Where to look for what only Python refuses; everywhere by default. */
  readonly within?: { readonly start: number; readonly end: number };
}): SyntaxProblem | null {
  const index = root.hasError ? firstError(root) : firstBadBlock({ root, text, within });
  if (index === null) {
    return null;
  }
  const start = lineStart({ text, index });
  const lineEnd = text.indexOf('\n', start);
  return {
    line: text.slice(0, start).split('\n').length,
    column: index - start + 1,
    excerpt: text
      .slice(start, lineEnd < 0 ? text.length : lineEnd)
      .trim()
      .slice(0, 160),
  };
}

/** True for nodes that are no statement: comments and line continuations may stand anywhere. */
export const isExtra = ({ type }: Pick<PythonNode, 'type'>): boolean =>
  type === 'comment' || type === 'line_continuation';

function firstError(root: PythonNode): number {
  let node = root;
  for (;;) {
    const inner = node.children.find((child) => child.isError || child.isMissing || child.hasError);
    if (inner === undefined || inner.isMissing) {
      return (inner ?? node).startIndex;
    }
    node = inner;
  }
}

function firstBadBlock({
  root,
  text,
  within: { start, end },
}: {
  readonly root: PythonNode;
  readonly text: string;
  readonly within: { readonly start: number; readonly end: number };
}): number | null {
  const isAll = start === 0 && end === text.length;
  const [from, to] = isAll ? [] : [start, end].map((index) => positionOf({ text, index }));
  for (const block of [root, ...root.descendantsOfType('block', from, to)]) {
    const statements = block.namedChildren.filter((child) => !isExtra(child));
    const first = statements[0];
    if (first === undefined) {
      if (block.type === 'block') {
        return Math.max(0, block.startIndex - 1);
      }
      continue;
    }
    const expected = block.type === 'module' ? '' : indentationAt({ text, index: first.startIndex });
    for (const [position, statement] of statements.entries()) {
      const sharesLine = statements[position - 1]?.endPosition.row === statement.startPosition.row;
      if (!sharesLine && indentationAt({ text, index: statement.startIndex }) !== expected) {
        return statement.startIndex;
      }
    }
  }
  return null;
}

/** What stands before an index on its line; a form feed starts the line anew, as it does in Python. */
export function indentationAt({ text, index }: { readonly text: string; readonly index: number }): string {
  return text.slice(text.lastIndexOf('\n', index - 1) + 1, index).replace(/^\uFEFF|^.*\f/, '');
}

function parse({ parser, text }: { readonly parser: Parser; readonly text: string }) {
  const tree = parser.parse(text);
  if (tree === null) {
    throw new Error('The Python parser gave no tree.');
  }
  return tree;
}

function loadParser(): NonNullable<typeof loading> {
  loading ??= createParser()
    .then((parser) => ({ parser, trees: recentTrees(parser) }))
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

async function createParser(): Promise<Parser> {
  const grammar = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm');
  await Parser.init();
  const language = await Language.load(grammar);
  return new Parser().setLanguage(language);
}
