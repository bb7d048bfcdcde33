import { isLocalName, type Scope, scopeOf } from './local-names.js';
import { isExtra, type PythonNode } from './parser.js';
import { stringKey } from './string-key.js';

/** What a statement's key depends on besides its tree. */
export interface KeyContext {
  readonly scope: Scope | null;
  /** Replace literals by their kind, `<str>` and `<num>`. */
  readonly abstractLiterals: boolean;
}

/** A tree this large may be as deep, and deeper than the call stack. */
const MOST_NODES = 3000;

/** Parents below which parentheses around an expression say nothing. */
const DELIMITED = new Set(
  `argument_list assert_statement assignment augmented_assignment await_statement default_parameter elif_clause
   expression_list expression_statement for_in_clause for_statement if_clause if_statement interpolation
   keyword_argument list pair parenthesized_expression raise_statement return_statement set subscript tuple
   typed_default_parameter while_statement with_item yield`.split(/\s+/),
);

/** Parents below which a tuple needs no parentheses. */
const BARE_TUPLE = new Set(
  'assignment expression_statement for_in_clause for_statement return_statement subscript yield'.split(' '),
);

/** Expressions that bind tighter than any operator. */
const PRIMARY = new Set('attribute call false float identifier integer none string subscript true'.split(' '));

/**
 * The normalised key of a statement or of a compound statement's header, given as the nodes that make it up.
 *
 * The leaves of the tree without white space, comments, trailing commas, redundant parentheses and differences of
 * quotes. Local variables are named `<v0>`, `<v1>`, … by their first appearance in this statement; all other names stay.
 * A statement of thousands of nodes is taken as it is written.
 */
export function statementKey({
  nodes,
  context,
}: {
  readonly nodes: readonly PythonNode[];
  readonly context: KeyContext;
}): string {
  const numbers = new Map<string, number>();
  if (nodes.some((node) => node.descendantCount > MOST_NODES)) {
    return nodes.map((node) => node.text.replace(/\s+/g, ' ')).join(' ');
  }
  return joined(nodes.flatMap((node) => tokensOf({ node, parent: null, context, numbers })));
}

interface TokenInput {
  readonly node: PythonNode;
  readonly parent: PythonNode | null;
  readonly context: KeyContext;
  readonly numbers: Map<string, number>;
}

function tokensOf({ node, parent, context, numbers }: TokenInput): string[] {
  switch (node.type) {
    case 'comment':
    case 'line_continuation':
      return [];
    case 'identifier':
      return [nameToken({ name: node.text, context, numbers })];
    case 'integer':
    case 'float':
      return [context.abstractLiterals ? '<num>' : node.text];
    case 'string':
    case 'concatenated_string': {
      const inner = (part: PythonNode) => joined(childTokens({ node: part, context, numbers }));
      return [stringKey({ node, abstractLiterals: context.abstractLiterals, interpolation: inner })];
    }
    case 'format_specifier':
      return [formatKey({ node, context, numbers })];
    case 'lambda': {
      // The keyword is a leaf of the same type.
      const inner = { ...context, scope: scopeOf({ node, outer: context.scope }) };
      return node.childCount === 0 ? [node.text] : childTokens({ node, context: inner, numbers });
    }
    case 'import_statement':
    case 'import_from_statement':
    case 'future_import_statement':
      return importTokens(node);
    case 'parenthesized_expression':
      return hasIdleParentheses({ node, parent })
        ? childTokens({ node, context, numbers }).slice(1, -1)
        : childTokens({ node, context, numbers });
    case 'tuple':
    case 'tuple_pattern':
      return parent !== null && BARE_TUPLE.has(parent.type)
        ? childTokens({ node, context, numbers }).slice(1, -1)
        : childTokens({ node, context, numbers });
    default:
      return node.childCount === 0 ? [node.text] : childTokens({ node, context, numbers });
  }
}

function childTokens({ node, context, numbers }: Omit<TokenInput, 'parent'>): string[] {
  const children = node.children.filter((child) => !isExtra(child));
  return children.flatMap((child, index) => {
    if (isIdleComma({ node, children, index }) || (node.type === 'with_clause' && /^[()]$/.test(child.type))) {
      return [];
    }
    const isMember = node.type === 'attribute' && index === children.length - 1;
    const isKeyword = index === 0 && (node.type === 'keyword_argument' || node.type === 'keyword_pattern');
    if ((isMember || isKeyword) && child.type === 'identifier') {
      return [child.text];
    }
    return tokensOf({ node: child, parent: node, context, numbers });
  });
}

function nameToken({ name, context, numbers }: { name: string; context: KeyContext; numbers: Map<string, number> }) {
  if (!isLocalName({ name, scope: context.scope })) {
    return name;
  }
  const number = numbers.get(name) ?? numbers.size;
  numbers.set(name, number);
  return `<v${number}>`;
}

function importTokens(node: PythonNode): string[] {
  const leaves = leavesOf(node).filter((leaf) => !/^[()]$/.test(leaf));
  return leaves.at(-1) === ',' ? leaves.slice(0, -1) : leaves;
}

function leavesOf(node: PythonNode): string[] {
  if (isExtra(node)) {
    return [];
  }
  return node.childCount === 0 ? [node.text] : node.children.flatMap(leavesOf);
}

/** True for a comma in front of a closing bracket, unless it makes a tuple of one. */
function isIdleComma({
  node,
  children,
  index,
}: {
  readonly node: PythonNode;
  readonly children: readonly PythonNode[];
  readonly index: number;
}): boolean {
  if (children[index]?.type !== ',' || !/^[)\]}]$/.test(children[index + 1]?.type ?? '')) {
    return false;
  }
  const isTuple = node.type === 'tuple' || node.type === 'tuple_pattern' || node.type === 'subscript';
  return !isTuple || children.slice(0, index).some((child) => child.type === ',');
}

function hasIdleParentheses({ node, parent }: { node: PythonNode; parent: PythonNode | null }): boolean {
  const inner = node.namedChildren.find((child) => !isExtra(child));
  return parent === null || DELIMITED.has(parent.type) || PRIMARY.has(inner?.type ?? '');
}

/** A format specifier; what stands between its inner expressions is no node of the tree. */
function formatKey({ node, context, numbers }: Omit<TokenInput, 'parent'>): string {
  let key = '';
  let position = node.startIndex;
  for (const child of node.namedChildren) {
    key += node.text.slice(position - node.startIndex, child.startIndex - node.startIndex);
    key += joined(tokensOf({ node: child, parent: node, context, numbers }));
    position = child.endIndex;
  }
  return key + node.text.slice(position - node.startIndex);
}

/** Tokens in a row, with a space between two that are both words or literals. */
function joined(tokens: readonly string[]): string {
  return tokens
    .map((token, index) => (index > 0 && WORD.test(tokens[index - 1] ?? '') && WORD.test(token) ? ` ${token}` : token))
    .join('');
}

/** Names, keywords, numbers, strings and their stand-ins; everything but operators and brackets. */
const WORD = /^([\p{L}\p{N}_"]|<\w+>$)/u;
