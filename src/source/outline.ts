import { type ImportStatement, importOf } from './import-statement.js';
import { protectedLines, shiftLines } from './indentation.js';
import { type Lines, linesOf } from './lines.js';
import { isExtra, type PythonNode } from './parser.js';

/** A suite of statements: the module, a class body, or a branch of a compound statement in one of them. */
export interface Block {
  /** The class whose body it is or lies in, as an index into the outline's definitions; -1 for the module. */
  readonly owner: number;
  /** Empty where the block always runs; else it names the branch, so that equal names in two branches differ. */
  readonly branch: string;
  readonly start: number;
  readonly end: number;
  readonly indent: string;
  /** True when it stands on the line of its header, `class A: pass`. */
  readonly inline: boolean;
  /** Statements, comments not counted. */
  readonly statements: readonly PlainStatement[];
  readonly hasComment: boolean;
}

/** A statement as a range; `type` is the grammar's. */
export interface PlainStatement {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** A class, or a function that lies in no other function. */
export interface Definition {
  readonly type: 'function' | 'class';
  readonly name: string;
  /** `Outer::Inner::test`. */
  readonly path: string;
  /** `Outer::Inner`, or null at module level. */
  readonly className: string | null;
  /** Index of the block that holds it. */
  readonly block: number;
  /** Index of its first line's first character, behind a form feed; decorators belong to it. */
  readonly start: number;
  /** Index behind its last line, without the line break; comments in its body belong to it. */
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly indent: string;
  /** Without `@`, as written. */
  readonly decorators: readonly string[];
  /** Of a class: the bases as written, keywords left out. */
  readonly bases: readonly string[];
  /** Of a function: parameters that a caller or a fixture has to fill in, `self` included. */
  readonly parameters: readonly string[];
  /** Range from `def` or `class` to the colon. */
  readonly header: { readonly start: number; readonly end: number };
  /** Indentation of the body, empty for one on the header's line. */
  readonly bodyIndent: string;
  /** Index of a class's body among the blocks; -1 for a function. */
  readonly body: number;
}

/** A name that an assignment in a module or class body binds. */
export interface Binding {
  readonly name: string;
  readonly owner: number;
  readonly start: number;
  readonly end: number;
}

/** The definitions, imports and names of a module as plain data; function bodies are not looked into. */
export interface Outline {
  readonly text: string;
  readonly lines: Lines;
  /** In the order of the text; an outer class precedes its members. */
  readonly definitions: readonly Definition[];
  /** The module's body is the first one. */
  readonly blocks: readonly Block[];
  readonly imports: readonly ImportStatement[];
  readonly bindings: readonly Binding[];
  /** Lines, from 0, that begin inside of a string. */
  readonly protectedRows: ReadonlySet<number>;
}

const CLAUSE = /_clause$/;

/** Outlines of trees that are still there: a file is often read several times in a row. */
const known = new WeakMap<PythonNode['tree'], Outline>();

/** Reads the outline of a parsed module, given by its tree's root, in one pass over its statements. */
export function outlineOf({ root, text }: { readonly root: PythonNode; readonly text: string }): Outline {
  const outline = known.get(root.tree) ?? readOutline({ root, text });
  known.set(root.tree, outline);
  return outline;
}

function readOutline({ root, text }: { readonly root: PythonNode; readonly text: string }): Outline {
  const lines = linesOf(text);
  const definitions: Definition[] = [];
  const blocks: Block[] = [];
  const imports: ImportStatement[] = [];
  const bindings: Binding[] = [];

  const visitBlock = ({ node, owner, branch }: { node: PythonNode; owner: number; branch: string }): number => {
    const children = node.namedChildren.map((child) => ({ node: child, type: child.type }));
    const statements = children.filter((child) => !isExtra(child));
    const index = blocks.length;
    const first = statements[0]?.node ?? node;
    const { inline, indent } = placeOf({ lines, node: first, isModule: node.type === 'module' });
    blocks.push({
      owner,
      branch,
      start: node.startIndex,
      end: node.endIndex,
      indent,
      inline,
      statements: statements.map(({ type, node: { startIndex, endIndex } }) => ({
        type,
        start: startIndex,
        end: endIndex,
      })),
      hasComment: children.length > statements.length,
    });
    for (const statement of statements) {
      visitStatement({ statement: statement.node, type: statement.type, block: index });
    }
    return index;
  };

  const visitStatement = ({ statement, type, block }: { statement: PythonNode; type: string; block: number }): void => {
    const { owner = -1, branch = '' } = blocks[block] ?? {};
    switch (type) {
      case 'decorated_definition':
        visitDefinition({
          statement,
          node: statement.childForFieldName('definition') ?? statement,
          decorators: decoratorsOf(statement),
          block,
        });
        return;
      case 'function_definition':
      case 'class_definition':
        visitDefinition({ statement, node: statement, decorators: [], block });
        return;
      case 'import_statement':
      case 'import_from_statement':
      case 'future_import_statement':
        if (owner < 0) {
          imports.push({ ...importOf(statement), branch });
        }
        return;
      case 'expression_statement':
        for (const name of boundNames(statement)) {
          bindings.push({ name, owner, start: statement.startIndex, end: statement.endIndex });
        }
        return;
      default:
        visitBranches({ statement, owner, branch: `${branch}/${type}@${statement.startIndex}` });
    }
  };

  const visitBranches = ({ statement, owner, branch }: { statement: PythonNode; owner: number; branch: string }) => {
    for (const child of statement.namedChildren) {
      if (child.type === 'block') {
        visitBlock({ node: child, owner, branch: `${branch}.${child.startIndex}` });
      } else if (CLAUSE.test(child.type)) {
        visitBranches({ statement: child, owner, branch });
      }
    }
  };

  const visitDefinition = ({
    statement,
    node,
    decorators,
    block,
  }: {
    statement: PythonNode;
    node: PythonNode;
    decorators: readonly string[];
    block: number;
  }): void => {
    const body = node.childForFieldName('body');
    const name = node.childForFieldName('name')?.text ?? '';
    const owner = definitions[blocks[block]?.owner ?? -1];
    const first = lines.at(statement.startIndex);
    const last = lines.at(Math.max(statement.startIndex, statement.endIndex - 1));
    const isClass = node.type === 'class_definition';
    const before = text.slice(lines.start(first), statement.startIndex);
    // A form feed starts the line anew, as it does in Python.
    const start = lines.start(first) + before.lastIndexOf('\f') + 1;
    const index = definitions.length;
    const definition: Definition = {
      type: isClass ? 'class' : 'function',
      name,
      path: owner === undefined ? name : `${owner.path}::${name}`,
      className: owner?.path ?? null,
      block,
      start,
      end: lines.contentEnd(last),
      startLine: first + 1,
      endLine: last + 1,
      indent: text.slice(start, statement.startIndex),
      decorators,
      bases: isClass ? basesOf(node) : [],
      parameters: isClass ? [] : requiredParameters(node),
      header: { start: node.startIndex, end: headerEnd({ node, body, text }) },
      bodyIndent: body === null ? '' : placeOf({ lines, node: body, isModule: false }).indent,
      body: -1,
    };
    definitions.push(definition);
    if (isClass && body !== null) {
      definitions[index] = { ...definition, body: visitBlock({ node: body, owner: index, branch: '' }) };
    }
  };

  visitBlock({ node: root, owner: -1, branch: '' });
  return { text, lines, definitions, blocks, imports, bindings, protectedRows: protectedLines({ root, text }) };
}

/** A definition's lines without its indentation: fit to be shown and to be the source of an update. */
export function sourceOf({
  outline,
  definition,
}: {
  readonly outline: Outline;
  readonly definition: Definition;
}): string {
  const { start, end, indent, startLine } = definition;
  const text = outline.text.slice(start, end);
  return shiftLines({ text, from: indent, to: '', protectedRows: outline.protectedRows, firstRow: startLine - 1 });
}

function placeOf({ lines, node, isModule }: { lines: Lines; node: PythonNode; isModule: boolean }) {
  if (isModule) {
    return { inline: false, indent: '' };
  }
  const before = lines.text.slice(lines.start(lines.at(node.startIndex)), node.startIndex);
  const inline = before.trim() !== '';
  return { inline, indent: inline ? '' : before };
}

const decoratorsOf = (decorated: PythonNode): string[] =>
  decorated.namedChildren
    .filter((child) => child.type === 'decorator')
    .map((child) => (child.namedChildren[0]?.text ?? '').trim());

function headerEnd({ node, body, text }: { node: PythonNode; body: PythonNode | null; text: string }): number {
  const before = text.slice(0, body?.startIndex ?? 0).trimEnd();
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (line.endsWith(':') && !line.includes('#')) return before.length;
  // A comment stands in between.
  const colon = node.children.findLast((child) => child.type === ':');
  return colon?.endIndex ?? node.endIndex;
}

function basesOf(node: PythonNode): string[] {
  const list = node.childForFieldName('superclasses');
  const bases = list?.namedChildren.filter((child) => child.type !== 'keyword_argument' && !isExtra(child)) ?? [];
  return bases.map((base) => base.text);
}

function requiredParameters(node: PythonNode): string[] {
  const list = node.childForFieldName('parameters');
  // Most tests take one parameter or none.
  const one = /^\(([A-Za-z_]\w*)?\)$/.exec(list?.text ?? '()');
  if (one !== null) return one.slice(1).filter((name) => name !== undefined);
  const parameters = list?.namedChildren ?? [];
  return parameters.flatMap((parameter) => {
    const name = parameter.type === 'typed_parameter' ? parameter.namedChildren[0] : parameter;
    return name?.type === 'identifier' ? [name.text] : [];
  });
}

/** Names that an assignment statement binds, chained and unpacked ones included; none for other expressions. */
function boundNames(statement: PythonNode): string[] {
  const names: string[] = [];
  let node = statement.namedChildren[0] ?? null;
  while (node?.type === 'assignment') {
    const left = node.childForFieldName('left');
    if (left?.type === 'identifier') {
      names.push(left.text);
    } else if (left?.type === 'pattern_list' || left?.type === 'tuple_pattern' || left?.type === 'list_pattern') {
      names.push(...left.descendantsOfType('identifier').map((name) => name.text));
    }
    node = node.childForFieldName('right');
  }
  return names;
}
