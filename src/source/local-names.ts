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
    collect({ node: body, kept, locals, foreign });
  }
  for (const name of [...foreign, ...kept]) {
    locals.delete(name);
  }
  return { kind: node.type === 'class_definition' ? 'class' : 'function', kept, locals, outer };
}

function collect({
  node,
  kept,
  locals,
  foreign,
}: {
  readonly node: PythonNode;
  readonly kept: Set<string>;
  readonly locals: Set<string>;
  /** Names of an outer function that the body assigns to. */
  readonly foreign: Set<string>;
}): void {
  const add = (names: Set<string>) => {
    for (const name of node.descendantsOfType('identifier')) {
      names.add(name.text);
    }
  };
  const bind = (target: PythonNode | null | undefined) => {
    for (const name of targetNames(target)) {
      locals.add(name);
    }
  };
  switch (node.type) {
    case 'function_definition':
    case 'class_definition':
      bind(node.childForFieldName('name'));
      return;
    case 'lambda':
      return;
    case 'import_statement':
    case 'import_from_statement':
    case 'global_statement':
      add(kept);
      return;
    case 'nonlocal_statement':
      add(foreign);
      return;
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
    case 'for_in_clause':
      bind(node.childForFieldName('left'));
      break;
    case 'named_expression':
      bind(node.childForFieldName('name'));
      break;
    case 'as_pattern':
      bind(node.namedChildren.at(-1));
      break;
    case 'case_clause':
      for (const name of captures(node)) {
        locals.add(name);
      }
      break;
    default:
  }
  for (const child of node.namedChildren) {
    collect({ node: child, kept, locals, foreign });
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
