import { parametrizedRows } from './edit-rows-parametrize.js';
import { subTestRows } from './edit-rows-subtest.js';
import type { Definition, Outline } from './outline.js';
import type { PythonNode, UsePython } from './parser.js';
import { type Refusal, refused } from './planned-edit.js';

/** A range of the file's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A list, tuple or set that is written out. */
export interface Table {
  /** Ranges of all elements, in order. */
  readonly elements: readonly Span[];
  readonly isTuple: boolean;
}

/** One row of a parametrisation, as a range of the file's text. */
export interface Row extends Span {
  readonly text: string;
  /** Names that it may go by in a test's id. */
  readonly ids: readonly string[];
  /** How to name it: its id where that is certain, else its text. */
  readonly label: string;
  /** Number of names that a row gives values to; null where it is not known. */
  readonly width: number | null;
  readonly table: Table;
  /** The row's own entry in a list of ids; null without one. */
  readonly id: { readonly own: Span; readonly table: Table } | null;
  /** True when the ids of the table cannot be told, so that a row cannot be taken out of it. */
  readonly hasForeignIds: boolean;
}

/** What reading the rows of a test needs: nodes of the definition parsed alone, and where it stands in the file. */
export interface RowSource {
  /** The statement of the definition, decorators included. */
  readonly statement: PythonNode;
  readonly outline: Outline;
  readonly definition: Definition;
  /** Range of the file's text for a node of the definition. */
  readonly spanOf: (node: PythonNode) => Span;
  /** Reads the expression that a name of the module is bound to. */
  readonly withConstant: <T>(input: {
    readonly name: string;
    readonly use: (value: PythonNode, spanOf: (node: PythonNode) => Span) => T;
  }) => T | Refusal;
}

const WRAPPER = 'if 1:\n';

/** All rows of a test's parametrisations, or why they cannot be edited one by one. */
export function rowsOf({
  python,
  outline,
  definition,
}: {
  readonly python: UsePython;
  readonly outline: Outline;
  readonly definition: Definition;
}): { readonly kind: 'rows'; readonly rows: readonly Row[] } | Refusal {
  const wrapper = definition.indent === '' ? '' : WRAPPER;
  const text = wrapper + outline.text.slice(definition.start, definition.end);
  const shift = definition.start - wrapper.length;
  return python({
    text,
    use: (root) => {
      const outer = root.namedChildren.find(({ type }) => type !== 'comment') ?? root;
      const block = wrapper === '' ? root : (outer.childForFieldName('consequence') ?? root);
      const statement = block.namedChildren.find(({ type }) => /definition$/.test(type));
      if (statement === undefined) return refused(`\`${definition.path}\` cannot be read.`);
      const source: RowSource = {
        statement,
        outline,
        definition,
        spanOf: (node) => ({ start: node.startIndex + shift, end: node.endIndex + shift }),
        withConstant: ({ name, use }) => withConstant({ python, outline, name, use }),
      };
      const parametrized = parametrizedRows(source);
      if (parametrized.kind === 'refused') return parametrized;
      const rows = parametrized.rows.length > 0 ? parametrized : subTestRows(source);
      if (rows.kind === 'refused' || rows.rows.length > 0) return rows;
      return refused(
        `\`${definition.path}\` has no rows that are written out: neither \`parametrize\` with a list nor a loop over a list around \`self.subTest\`. Update the whole test.`,
      );
    },
  });
}

/** Reads a constant of the module that is bound once and used once, so that a change reaches nothing else. */
function withConstant<T>({
  python,
  outline,
  name,
  use,
}: {
  readonly python: UsePython;
  readonly outline: Outline;
  readonly name: string;
  readonly use: (value: PythonNode, spanOf: (node: PythonNode) => Span) => T;
}): T | Refusal {
  const bindings = outline.bindings.filter((one) => one.name === name && one.owner < 0);
  const [binding] = bindings;
  if (binding === undefined || bindings.length > 1) {
    return refused(`The rows are in \`${name}\`, which is not bound exactly once in the file. Update the whole test.`);
  }
  const uses = outline.text.match(new RegExp(`(?<![\\w.])${name}(?!\\w)`, 'g'))?.length ?? 0;
  if (uses > 2) {
    return refused(
      `The rows are in \`${name}\`, which other code of the file uses too. Update the whole test with rows of its own.`,
    );
  }
  const text = outline.text.slice(binding.start, binding.end);
  return python({
    text,
    use: (root) => {
      const assignment = root.namedChildren[0]?.namedChildren[0];
      const value = assignment?.type === 'assignment' ? assignment.childForFieldName('right') : null;
      if (value === null || value === undefined) return refused(`The rows are in \`${name}\`, which is not a list.`);
      return use(value, (node) => ({ start: node.startIndex + binding.start, end: node.endIndex + binding.start }));
    },
  });
}
