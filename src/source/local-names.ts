import { isExtra, type PythonNode } from './parser.js';

/** The names of one function, lambda or class body, and the scope around it. */
export interface Scope {
  readonly kind: 'function' | 'class';
  /** Kept as they are: parameters (fixtures among them) and imported names. */
  readonly kept: ReadonlySet<string>;
  /** Bound by assignment, `for`, `with`, `except`, `:=`, a comprehension, a pattern, or an inner `def` or `class`. */
  readonly locals: ReadonlySet<string>;
  readonly outer: Scope | null;
}

/** True when a name stands for a local variable where it is used; a class's own attributes are none. */
export function isLocalName({ name, scope }: { readonly name: string; readonly scope: Scope | null }): boolean {
  for (let at = scope; at !== null; at = at.outer) {
    if (at.kept.has(name)) {
      return false;
    }
    if (at.locals.has(name)) {
      return at.kind === 'function';
    }
  }
  return false;
}

/** The scope of a `function_definition`, `lambda` or `class_definition`. */
export function scopeOf({ node, outer }: { readonly node: PythonNode; readonly outer: Scope | null }): Scope {
  const kept = new Set<string>();
  const locals = new Set<string>();
  const foreign = new Set<string>();
  for (const parameter of node.childForFieldName('parameters')?.namedChildren ?? []) {
    const name = parameter.childForFieldName('name') ?? parameter;
    const inner = name.type === 'identifier' ? name : name.descendantsOfType('identifier')[0];
    if (inner !== undefined) {
      kept.add(inner.text);
    }
  }
  const body = node.childForFieldName('body');
  if (body !== null) {
    collect({ body, kept, locals, foreign });
  }
  for (const name of [...foreign, ...kept]) {
    locals.delete(name);
  }
  return { kind: node.type === 'class_definition' ? 'class' : 'function', kept, locals, outer };
}

/** Collects what a body binds; without recursion, because an expression of generated code nests thousands deep. */
function collect({
  body,
  kept,
  locals,
  foreign,
}: {
  readonly body: PythonNode;
  readonly kept: Set<string>;
  readonly locals: Set<string>;
  /** Names of an outer function that the body assigns to. */
  readonly foreign: Set<string>;
}): void {
  const open = [body];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const { names, into } of bindingsOf(node)) {
      const set = into === 'kept' ? kept : into === 'locals' ? locals : foreign;
      for (const name of names) {
        set.add(name);
      }
    }
    if (!SCOPES.has(node.type)) {
      open.push(...node.namedChildren);
    }
  }
}

/** Nodes with a scope of their own, and statements that only name. */
const SCOPES = new Set(
  `function_definition class_definition lambda import_statement import_from_statement global_statement
   nonlocal_statement`.split(/\s+/),
);

function bindingsOf(
  node: PythonNode,
): readonly { readonly names: readonly string[]; readonly into: 'kept' | 'locals' | 'foreign' }[] {
  const allNames = () => node.descendantsOfType('identifier').map((name) => name.text);
  switch (node.type) {
    case 'function_definition':
    case 'class_definition':
    case 'named_expression':
      return [{ names: targetNames(node.childForFieldName('name')), into: 'locals' }];
    case 'import_statement':
    case 'import_from_statement':
    case 'global_statement':
      return [{ names: allNames(), into: 'kept' }];
    case 'nonlocal_statement':
      return [{ names: allNames(), into: 'foreign' }];
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
    case 'for_in_clause':
      return [{ names: targetNames(node.childForFieldName('left')), into: 'locals' }];
    case 'as_pattern':
      return [{ names: targetNames(node.namedChildren.at(-1)), into: 'locals' }];
    case 'case_clause':
      return [{ names: captures(node), into: 'locals' }];
    default:
      return [];
  }
}

/** Names that a target binds; none for attributes and items. */
function targetNames(target: PythonNode | null | undefined): string[] {
  switch (target?.type) {
    case 'identifier':
      return [target.text];
    case 'pattern_list':
    case 'tuple_pattern':
    case 'list_pattern':
    case 'list_splat_pattern':
    case 'as_pattern_target':
    case 'tuple':
    case 'list':
    case 'parenthesized_expression':
      return target.namedChildren.filter((child) => !isExtra(child)).flatMap(targetNames);
    default:
      return [];
  }
}

/** The names that the pattern of a `case` captures: the bare ones that are not the class of a class pattern. */
function captures(clause: PythonNode): string[] {
  const names = clause.descendantsOfType(['dotted_name', 'splat_pattern']);
  return names.flatMap((node) => {
    const only = node.namedChildren.length === 1 ? node.namedChildren[0] : undefined;
    return only?.type === 'identifier' && node.parent?.type !== 'class_pattern' ? [only.text] : [];
  });
}
