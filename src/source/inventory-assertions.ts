import type { InventoryFile, UsedSymbol } from './inventory-aspects.js';
import { isExtra, type PythonNode } from './parser.js';

/** Functions that assert without `assert` in their name. */
const CHECKS = /^(raises|warns|deprecated_call|approx|warns_deprecated_sympy)$/;
const COMPARES = /^assert(_?)(\w*)(equal|is|in|close|allclose)\w*$/i;
const LONGEST_SHOWN = 40;

/** Ways of asserting in a file, and the values that equality assertions expect. */
export function assertionUses(file: InventoryFile): UsedSymbol[] {
  const counts = new Map<string, UsedSymbol>();
  const add = (aspect: 'assertion' | 'expected-value', symbol: string, node: PythonNode): void => {
    const key = `${aspect}\n${symbol}`;
    const known = counts.get(key);
    const line = known?.line ?? node.startPosition.row + 1;
    counts.set(key, { aspect, symbol, file: file.path, line, count: (known?.count ?? 0) + 1, isDefinition: false });
  };
  for (const node of file.root.descendantsOfType(['assert_statement', 'call'])) {
    const form = node.type === 'call' ? callForm(node) : assertForm(node);
    if (form !== null) {
      add('assertion', form, node);
    }
    const expected = form === null ? null : expectedValue(node);
    const shown = expected === null ? null : valueForm(expected);
    if (shown !== null) {
      add('expected-value', shown, node);
    }
  }
  return [...counts.values()];
}

/** `self.assertEqual`, `pytest.raises`, `assert_node`; null for a call that asserts nothing. */
function callForm(call: PythonNode): string | null {
  const callee = call.childForFieldName('function');
  const name = callee?.type === 'attribute' ? callee.childForFieldName('attribute')?.text : callee?.text;
  const isCheck =
    name !== undefined && (/^(assert(_|[A-Z])|fail(Unless|If)|assertion_)/.test(name) || CHECKS.test(name));
  if (callee === null || !isCheck) {
    return null;
  }
  const object = callee.childForFieldName('object');
  return object === null || /^[\w.]+$/.test(object.text) ? callee.text : `….${name}`;
}

/** `assert … == …`, `assert not …`, `assert isinstance(…)`. */
function assertForm(statement: PythonNode): string {
  const condition = statement.namedChildren.find((child) => !isExtra(child));
  switch (condition?.type) {
    case 'comparison_operator': {
      const operators = condition
        .childrenForFieldName('operators')
        .map((operator) => operator.text.replace(/\s+/g, ' '));
      return `assert … ${operators.join(' … ')} …`;
    }
    case 'not_operator':
      return 'assert not …';
    case 'call': {
      const callee = condition.childForFieldName('function');
      const member = callee?.type === 'attribute' ? `….${callee.childForFieldName('attribute')?.text}` : callee?.text;
      return `assert ${/^…?[\w.]+$/.test(member ?? '') ? member : '…'}(…)`;
    }
    default:
      return 'assert …';
  }
}

/** The second argument of a comparing assertion, the literal side of `assert … == …`. */
function expectedValue(node: PythonNode): PythonNode | null {
  if (node.type === 'call') {
    const name = node.childForFieldName('function')?.text.split('.').at(-1) ?? '';
    const given = node.childForFieldName('arguments')?.namedChildren.filter((child) => !isExtra(child)) ?? [];
    return COMPARES.test(name) ? (given[1] ?? null) : null;
  }
  const condition = node.namedChildren.find((child) => !isExtra(child));
  const isEquality =
    condition?.type === 'comparison_operator' && condition.childrenForFieldName('operators')[0]?.text === '==';
  const sides = isEquality ? condition.namedChildren.filter((child) => !isExtra(child)) : [];
  return sides[1] ?? null;
}

/** A value as a pattern: literals as they are, calls with `…` for their arguments; null for anything else. */
function valueForm(node: PythonNode): string | null {
  switch (node.type) {
    case 'none':
    case 'true':
    case 'false':
    case 'integer':
    case 'float':
    case 'string':
      return node.text.length <= LONGEST_SHOWN && !node.text.includes('\n') ? node.text : null;
    case 'call': {
      const callee = node.childForFieldName('function');
      const isNamed = callee?.type === 'identifier' || (callee?.type === 'attribute' && /^[\w.]+$/.test(callee.text));
      return isNamed ? `${callee.text}(…)` : null;
    }
    case 'list':
    case 'tuple':
    case 'set':
    case 'dictionary': {
      const items = node.namedChildren.filter((child) => !isExtra(child));
      const [open, close] = [node.text.slice(0, 1), node.text.slice(-1)];
      const first = items[0] === undefined ? '' : (valueForm(items[0]) ?? '…');
      return `${open}${first}${items.length > 1 && first !== '…' ? ', …' : ''}${close}`;
    }
    default:
      return null;
  }
}
