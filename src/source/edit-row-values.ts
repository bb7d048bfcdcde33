import { isExtra, type PythonNode } from './parser.js';

/** The values of a sequence that is written out, comments left out; null for any other expression. */
export function elementsOf(node: PythonNode | null | undefined): readonly PythonNode[] | null {
  const inner = withoutParentheses(node);
  if (inner === null || !['list', 'tuple', 'set'].includes(inner.type)) return null;
  return inner.namedChildren.filter((child) => !isExtra(child));
}

/** An expression without the parentheses around it. */
export function withoutParentheses(node: PythonNode | null | undefined): PythonNode | null {
  let inner = node ?? null;
  while (inner?.type === 'parenthesized_expression') {
    inner = inner.namedChildren.find((child) => !isExtra(child)) ?? null;
  }
  return inner;
}

/** Positional arguments of a call. */
export function argumentsOf(call: PythonNode): readonly PythonNode[] {
  const all = call.childForFieldName('arguments')?.namedChildren ?? [];
  return all.filter((child) => !isExtra(child) && child.type !== 'keyword_argument');
}

/** The value of a call's keyword argument. */
export function keywordOf({ call, name }: { readonly call: PythonNode; readonly name: string }): PythonNode | null {
  const all = call.childForFieldName('arguments')?.namedChildren ?? [];
  const found = all.find(
    (child) => child.type === 'keyword_argument' && child.childForFieldName('name')?.text === name,
  );
  return found?.childForFieldName('value') ?? null;
}

/** True for `pytest.param(…)`. */
export const isParam = (node: PythonNode): boolean =>
  node.type === 'call' && /(^|\.)param$/.test(node.childForFieldName('function')?.text ?? '');

/** How many values a row gives to so many names; null when that is not written out. */
export function widthOf({ row, names }: { readonly row: PythonNode; readonly names: number | null }): number | null {
  if (names === 1 && !isParam(row)) return 1;
  const values = isParam(row) ? argumentsOf(row) : elementsOf(row);
  return values === null || values.some(({ type }) => /splat/.test(type)) ? null : values.length;
}

/** The value of a string literal without prefix, or null where it is not told from its text alone. */
export function stringOf(node: PythonNode | null): string | null {
  if (node?.type !== 'string' || /^[bfBF]|^[rR][bfBF]/.test(node.text)) return null;
  const quoted = /^[uUrR]?("""|'''|"|')(.*)\1$/s.exec(node.text);
  return quoted === null || /[\\\n]/.test(quoted[2] ?? '') ? null : (quoted[2] ?? '');
}

/**
 * The ids that pytest may give a value: one where its text tells, else those of the kinds of objects that it may be.
 * `fallback` is the argument's name with the row's number.
 */
export function valueIds({ value, fallback }: { readonly value: PythonNode; readonly fallback: string }): string[] {
  const { type, text } = value;
  const string = stringOf(value);
  if (string !== null) return [string];
  switch (type) {
    case 'true':
    case 'false':
    case 'none':
    case 'integer':
    case 'float':
      return [text];
    case 'unary_operator':
      return /^-\s*[\d.]/.test(text) ? [text.replace(/\s/g, '')] : [fallback];
    case 'string':
      return /^[bB]/.test(text) ? [text.replace(/^[bB]+["']+|["']+$/g, '')] : [text, fallback];
    case 'identifier':
    case 'attribute':
      // A class or function goes by its name, a member of an enumeration by its own, anything else by the argument's.
      return [text.slice(text.lastIndexOf('.') + 1), text, fallback];
    default:
      return [fallback];
  }
}
