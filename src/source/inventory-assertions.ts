import type { UseFact } from './inventory-facts.js';
import { childrenOf, expectedForm, literalOf, type Names } from './inventory-values.js';
import type { Seen, Walked } from './inventory-walk.js';
import { isExtra, type PythonNode } from './parser.js';

/** Names of functions that assert: the common prefixes, and those of pytest, sympy and pytest's own pytester without one. */
const CHECK =
  /^(assert(_|[A-Z])\w*|fail(Unless|If)\w*|raises|warns|deprecated_call|approx|fail|warns_deprecated_sympy|(no_)?(fnmatch|re_match)_lines?(_random)?)$/;
const CHECKED_METHODS = /^(raises|warns|deprecated_call|approx|fail)$/;
/** Checks whose arguments are no expected value, unless they are text. */
const TAKES_TYPE = /raises|warns|isinstance|issubclass|deprecated/i;
const TAKES_NO_VALUE = /^(assert(_is)?_?(true|false|(not_?)?none)|assertIsNone|assertIsNotNone|fail)$/i;
const EXPECTED_FIRST = /^assert_?(not_?)?in$|numqueries/i;

/** True for a callee whose call asserts something; methods called like pytest's functions must be pytest's. */
export function isCheck(callee: string): boolean {
  const last = lastName(callee);
  if (!CHECK.test(last)) {
    return false;
  }
  return !CHECKED_METHODS.test(last) || callee === last || /^(pytest|self)\.\w+$/.test(callee);
}

/**
 * Ways of asserting in a file, and the values that its assertions compare with. `isModule` tells whether a name is an
 * imported one: other receivers are written `….name`, as their own names are a test's choice.
 */
export function assertionUses({
  walked,
  isModule,
  knows,
}: {
  readonly walked: Walked;
  readonly isModule: (name: string) => boolean;
  readonly knows: Names['knows'];
}): UseFact[] {
  const found = new Map<string, UseFact>();
  const add = ({ aspect, symbol, node }: Pick<UseFact, 'aspect' | 'symbol'> & { node: PythonNode }): void => {
    const key = `${aspect}\n${symbol}`;
    const known = found.get(key);
    const line = Math.min(known?.line ?? Number.POSITIVE_INFINITY, node.startPosition.row + 1);
    found.set(key, { aspect, symbol, line, count: (known?.count ?? 0) + 1 });
  };
  const expect = (node: PythonNode, values: readonly string[]): void => {
    for (const symbol of values) {
      add({ aspect: 'expected-value', symbol, node });
    }
  };
  for (const { node, assigned } of walked.asserts) {
    const condition = childrenOf(node)[0];
    const names = { knows, local: localsBefore({ node, assigned }) };
    add({ aspect: 'assertion', symbol: assertForm(condition), node });
    expect(node, condition === undefined ? [] : comparedWith({ node: condition, names }));
  }
  for (const { callee, node, assigned } of walked.calls) {
    if (isCheck(callee)) {
      const names = { knows, local: localsBefore({ node, assigned }) };
      add({ aspect: 'assertion', symbol: calleeForm({ callee, isModule }), node });
      expect(node, expectedOf({ name: lastName(callee), node, names }));
    }
  }
  return [...found.values()];
}

/** What names were assigned last in the text before an assertion. */
const localsBefore =
  ({ node, assigned }: Seen): Names['local'] =>
  (identifier) =>
    assigned
      .get(identifier.text)
      ?.findLast((one) => one.startIndex < node.startIndex)
      ?.childForFieldName('right') ?? null;

const lastName = (callee: string): string => callee.slice(callee.lastIndexOf('.') + 1).trim();

/** `self.assertEqual`, `pytest.raises`, `assert_node`, `….fnmatch_lines`. */
function calleeForm({ callee, isModule }: { callee: string; isModule: (name: string) => boolean }): string {
  const text = callee.replace(/\s+/g, '');
  const first = text.split('.')[0] ?? '';
  const isPlain = /^[\w.]+$/.test(text) && (text === first || /^(self|cls)\.\w+$/.test(text) || isModule(first));
  return isPlain ? text : `….${lastName(callee)}`;
}

/** `assert … == …`, `assert not …`, `assert isinstance(…)`. */
function assertForm(condition: PythonNode | undefined): string {
  switch (condition?.type) {
    case 'comparison_operator': {
      const operators = operatorsOf(condition);
      const right = childrenOf(condition).at(-1)?.text ?? '';
      const shown = operators.length === 1 && /^is/.test(operators[0] ?? '') && /^(None|True|False)$/.test(right);
      return `assert … ${operators.join(' … ')} ${shown ? right : '…'}`;
    }
    case 'not_operator':
      return 'assert not …';
    case 'boolean_operator':
      return `assert … ${condition.childForFieldName('operator')?.text ?? 'and'} …`;
    case 'call': {
      const callee = condition.childForFieldName('function');
      const member = callee?.type === 'attribute' ? `….${callee.childForFieldName('attribute')?.text}` : callee?.text;
      return `assert ${/^(….)?\w+$/.test(member ?? '') ? member : '…'}(…)`;
    }
    default:
      return 'assert …';
  }
}

const operatorsOf = (comparison: PythonNode): string[] =>
  comparison.childrenForFieldName('operators').map((operator) => operator.text.replace(/\s+/g, ' '));

/** The values in a condition that something is compared with, one a comparison. */
function comparedWith({ node, names }: { readonly node: PythonNode; readonly names: Names }): string[] {
  switch (node.type) {
    case 'boolean_operator':
    case 'parenthesized_expression':
    case 'not_operator':
      return childrenOf(node).flatMap((child) => comparedWith({ node: child, names }));
    case 'comparison_operator': {
      const sides = childrenOf(node);
      const isMembership = /in$/.test(operatorsOf(node)[0] ?? '');
      return firstValue({ nodes: isMembership ? sides : sides.toReversed(), names });
    }
    case 'call': {
      const affix = /\.(starts|ends)with$/.test(node.childForFieldName('function')?.text ?? '');
      const given = affix ? childrenOf(node.childForFieldName('arguments'))[0] : undefined;
      const value = given === undefined ? null : literalOf(given);
      return value === null ? [] : [value];
    }
    default:
      return [];
  }
}

/** Literals first: of `f(x) == y` and `'a' == NAME` the one that says more. */
function firstValue({ nodes, names }: { readonly nodes: readonly PythonNode[]; readonly names: Names }): string[] {
  for (const read of [literalOf, (node: PythonNode) => expectedForm({ node, names })]) {
    for (const node of nodes) {
      const found = read(node);
      if (found !== null) return [found];
    }
  }
  return [];
}

/** What stands in parentheses, such as a string over several lines. */
const unwrapped = (node: PythonNode): PythonNode =>
  node.type === 'parenthesized_expression' ? (childrenOf(node)[0] ?? node) : node;

function expectedOf({ name, node, names }: { name: string; node: PythonNode; names: Names }): string[] {
  const positional: PythonNode[] = [];
  const keywords: PythonNode[] = [];
  for (const one of node.childForFieldName('arguments')?.namedChildren ?? []) {
    // Asking for a type is a call into the parser.
    const { type } = one;
    if (type === 'keyword_argument') keywords.push(one);
    else if (!isExtra({ type }) && !/splat/.test(type)) positional.push(one);
  }
  if (TAKES_TYPE.test(name)) {
    const match = keywords.find((one) => one.childForFieldName('name')?.text === 'match')?.childForFieldName('value');
    const texts = [...positional.slice(1, 2), ...(match == null ? [] : [match])];
    return texts
      .map(unwrapped)
      .filter(({ type }) => /string$/.test(type))
      .flatMap((text) => literalOf(text) ?? []);
  }
  if (TAKES_NO_VALUE.test(name)) {
    return positional.slice(0, 1).flatMap((one) => comparedWith({ node: one, names }));
  }
  if (name === 'assert_outcomes') {
    return keywords.map((one) => one.text.replace(/\s+/g, ''));
  }
  if (name === 'approx') {
    return [];
  }
  const pair = positional.slice(0, 2);
  return firstValue({ nodes: EXPECTED_FIRST.test(name) ? pair : pair.toReversed(), names });
}
