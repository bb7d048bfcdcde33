import type { Language } from 'web-tree-sitter';

/** What a pass over a tree has to know about a type of node. */
export interface NodeType {
  readonly name: string;
  /** What to do there; a `leaf` holds nothing that counts, an `inner` node is looked into. */
  readonly role: 'import' | 'string' | 'assert' | 'raise' | 'attribute' | 'identifier' | 'leaf' | 'inner';
  /** The field in which a name straight below is bound, `''` for all. */
  readonly binds: string | undefined;
  /** The field in which a name straight below is no use, likewise. */
  readonly noUse: string | undefined;
  readonly isBlock: boolean;
  /** True for what counts as a statement where it stands in a block. */
  readonly isStatement: boolean;
}

const ROLES: Readonly<Record<string, NodeType['role']>> = {
  import_statement: 'import',
  import_from_statement: 'import',
  string: 'string',
  assert_statement: 'assert',
  raise_statement: 'raise',
  attribute: 'attribute',
  identifier: 'identifier',
  comment: 'leaf',
  line_continuation: 'leaf',
  integer: 'leaf',
  float: 'leaf',
  true: 'leaf',
  false: 'leaf',
  none: 'leaf',
  ellipsis: 'leaf',
  string_start: 'leaf',
  string_content: 'leaf',
  string_end: 'leaf',
  pass_statement: 'leaf',
};

/** Nodes that bind the names straight below them, all or those in a field. */
const BINDS: Readonly<Record<string, string>> = {
  parameters: '',
  lambda_parameters: '',
  typed_parameter: '',
  default_parameter: 'name',
  typed_default_parameter: 'name',
  list_splat_pattern: '',
  dictionary_splat_pattern: '',
  as_pattern_target: '',
  pattern_list: '',
  tuple_pattern: '',
  list_pattern: '',
  assignment: 'left',
  for_statement: 'left',
  for_in_clause: 'left',
  named_expression: 'name',
};
/** Nodes below which a name is no use; chains of names, `a.b`, are counted as a whole. */
const NO_USE: Readonly<Record<string, string>> = {
  attribute: '',
  keyword_argument: 'name',
  global_statement: '',
  nonlocal_statement: '',
  function_definition: 'name',
  class_definition: 'name',
};

const known = new WeakMap<Language, readonly NodeType[]>();
const ERROR = typeOf({ name: 'ERROR', isNamed: true });

/** Looks up the types of a grammar by their number. */
export function nodeTypesOf(language: Language): (id: number) => NodeType {
  const types =
    known.get(language) ??
    language.types.map((name, id) => typeOf({ name: name ?? 'ERROR', isNamed: language.nodeTypeIsNamed(id) }));
  known.set(language, types);
  return (id) => types[id] ?? ERROR;
}

function typeOf({ name, isNamed }: { readonly name: string; readonly isNamed: boolean }): NodeType {
  return {
    name,
    // Keywords and punctuation have no nodes below them, and some are called like a node.
    role: isNamed ? (ROLES[name] ?? 'inner') : 'leaf',
    binds: BINDS[name],
    noUse: NO_USE[name],
    isBlock: isNamed && (name === 'block' || name === 'module'),
    isStatement: isNamed && name !== 'comment' && name !== 'line_continuation',
  };
}
