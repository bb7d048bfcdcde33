import { isExtra, type PythonNode } from './parser.js';

/** What names stand for where a value is read. */
export interface Names {
  /** Whether a name of the file stands for a constant: it is imported, or the module binds it. */
  readonly knows: (name: string) => boolean;
  /** What a local name was assigned last before the place, or null. */
  readonly local: (identifier: PythonNode) => PythonNode | null;
}

const LONGEST_SHOWN = 40;
/** Calls that make a value of their arguments; other lower-case ones compute it. */
const MAKES_VALUE =
  /^(approx|array|bytes|bytearray|complex|date|datetime|dict|dtype|frozenset|set|time|timedelta|tuple)$/;
const NUMBER = new Set(['integer', 'float', 'true', 'false', 'none', 'ellipsis']);

/**
 * A value that a test expects, as a pattern: literals as they are (long ones cut), collections with their first
 * elements, `Error(…)` for what a constructor makes, and constants by their name. Null for what is computed.
 */
export function expectedForm({ node, names }: { readonly node: PythonNode; readonly names: Names }): string | null {
  switch (node.type) {
    case 'identifier':
      return localForm({ node, names }) ?? (names.knows(node.text) ? node.text : null);
    case 'attribute':
      return constantOf({ node, names });
    case 'call':
      return constructed({ node, names });
    case 'parenthesized_expression': {
      const inner = childrenOf(node)[0];
      return inner === undefined ? null : expectedForm({ node: inner, names });
    }
    default:
      return literalOf(node);
  }
}

const NONE: Names = { knows: () => false, local: () => null };
/** Names of locals that hold what is expected, whatever they were made by. */
const EXPECTED = /^(exp|want|desired|correct|answer|truth|ref)/i;

/** The literal that a local holds; what a constructor made where the name says that it is expected. */
function localForm({ node, names }: { readonly node: PythonNode; readonly names: Names }): string | null {
  const value = names.local(node);
  if (value === null) {
    return null;
  }
  return (
    literalOf(value) ?? (EXPECTED.test(node.text) && value.type === 'call' ? constructed({ node: value, names }) : null)
  );
}

/** A literal as a pattern, or null. */
export function literalOf(node: PythonNode): string | null {
  const { type } = node;
  if (NUMBER.has(type)) {
    return node.text;
  }
  switch (type) {
    case 'string':
      return shortString(node.text);
    case 'concatenated_string': {
      const first = childrenOf(node)[0];
      return first === undefined ? null : shortString(first.text);
    }
    case 'unary_operator': {
      const operand = node.childForFieldName('argument');
      return operand !== null && NUMBER.has(operand.type) ? node.text : null;
    }
    case 'list':
    case 'tuple':
    case 'set':
    case 'dictionary':
      return collectionOf(node);
    default:
      return null;
  }
}

/** Named children that are no comments. */
export const childrenOf = (node: PythonNode | null): PythonNode[] =>
  (node?.namedChildren ?? []).filter((child) => !isExtra(child));

/** One line, in double quotes where that changes nothing else, so that both ways of quoting are one value. */
function shortString(written: string): string {
  const [, prefix = '', quote = '', inner = ''] = /^(\w*)("""|'''|"|')([\s\S]*)\2$/.exec(written) ?? [];
  const line = inner.replace(/\s*\n[\s\S]*$/, '…');
  const cut = line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN - 3)}…` : line;
  const mark = /["\\]/.test(cut) && quote.length === 1 ? quote : '"';
  return `${prefix}${mark}${cut}${mark}`;
}

function collectionOf(node: PythonNode): string | null {
  const items = childrenOf(node);
  const [open, close] = [node.text.slice(0, 1), node.text.slice(-1)];
  const shown: string[] = [];
  for (const item of items) {
    const form = itemOf(item);
    if (form === null || `${shown.join(', ')}${form}`.length > LONGEST_SHOWN) {
      break;
    }
    shown.push(form);
  }
  if (shown.length < items.length) {
    // Elements that are all computed tell nothing.
    return shown.length === 0 ? null : `${open}${shown.join(', ')}, …${close}`;
  }
  return `${open}${shown.join(', ')}${node.type === 'tuple' && items.length === 1 ? ',' : ''}${close}`;
}

function itemOf(node: PythonNode): string | null {
  if (node.type !== 'pair') {
    return node.type === 'call' ? constructed({ node, names: NONE }) : literalOf(node);
  }
  const [key, value] = [node.childForFieldName('key'), node.childForFieldName('value')];
  const keyForm = key === null ? null : literalOf(key);
  return keyForm === null ? null : `${keyForm}: ${(value === null ? null : literalOf(value)) ?? '…'}`;
}

/** `ExitCode.OK`, `S.One`, `np.nan`: a member that is written like a constant, of something that is no local. */
function constantOf({ node, names }: { readonly node: PythonNode; readonly names: Names }): string | null {
  const text = node.text.replace(/\s+/g, '');
  if (text.length > LONGEST_SHOWN || !/^[^\W\d]\w*(\.\w+)+$/u.test(text)) {
    return null;
  }
  const parts = text.split('.');
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  return names.knows(first) && /^_?[A-Z]|^(nan|inf|pi|e)$/.test(last) ? text : null;
}

function constructed({ node, names }: { readonly node: PythonNode; readonly names: Names }): string | null {
  const callee = node.childForFieldName('function')?.text ?? '';
  const last = callee.slice(callee.lastIndexOf('.') + 1);
  if (!/^[\w.]+$/.test(callee) || !(/^_?[A-Z]/.test(last) || MAKES_VALUE.test(last)) || callee.startsWith('self.')) {
    return null;
  }
  const given = childrenOf(node.childForFieldName('arguments'));
  const simple = given.map((one) =>
    NUMBER.has(one.type) || one.type === 'string' ? literalOf(one) : valueOfName(one),
  );
  const whole = `${callee}(${simple.join(', ')})`;
  const isSimple = simple.every((form) => form !== null) && whole.length <= LONGEST_SHOWN;
  return isSimple ? whole : `${callee}(…)`;
  function valueOfName(one: PythonNode): string | null {
    return one.type === 'identifier' && names.knows(one.text) ? one.text : null;
  }
}
