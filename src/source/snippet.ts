import { firstIndent, protectedLines } from './indentation.js';
import { type Definition, outlineOf } from './outline.js';
import { isExtra, type PythonNode, syntaxProblemOf, type UsePython } from './parser.js';
import { type Refusal, refused } from './planned-edit.js';

/** One complete definition, parsed on its own. */
export interface Snippet {
  readonly kind: 'snippet';
  readonly type: Definition['type'];
  readonly name: string;
  /** Its lines as given, without what stands around it. */
  readonly text: string;
  /** Indentation that all of it stands at. */
  readonly indent: string;
  /** Lines that begin inside of a string. */
  readonly protectedRows: ReadonlySet<number>;
  readonly decorators: readonly string[];
  /** True for a function that takes no positional argument at all. */
  readonly takesNothing: boolean;
  /** First parameter without a default, null without one. */
  readonly firstParameter: string | null;
  /** Indentation of its body relative to its own. */
  readonly bodyIndent: string;
  /** Functions and classes of a class, by name. */
  readonly members: readonly string[];
}

/** A header that makes an indented snippet a module. */
const WRAPPER = 'if 1:\n';

/**
 * Parses the source of an operation; refuses anything but one function or class. Comments around the definition are
 * left out: an update of it or its removal would not find them again.
 */
export function readSnippet({
  python,
  source,
}: {
  readonly python: UsePython;
  readonly source: string;
}): Snippet | Refusal {
  const text = source.replace(/^\uFEFF?(?:[ \t]*\r?\n)*/, '').replace(/(?:\r?\n[ \t]*)+$/, '');
  if (/\r(?!\n)/.test(text)) {
    return refused('The source has a lone carriage return, which is a line break to Python: write it as an escape.');
  }
  const indent = firstIndent(text);
  const wrapper = indent === '' ? '' : WRAPPER;
  const whole = wrapper + text;
  return python({
    text: whole,
    use: (root) => {
      const problem = syntaxProblemOf({ root, text: whole });
      if (problem !== null) {
        const line = problem.line - (wrapper === '' ? 0 : 1);
        return refused(`The source does not parse, line ${line}: ${problem.excerpt}`);
      }
      const outer = root.namedChildren.filter((child) => !isExtra(child));
      const body = wrapper === '' ? outer : bodyOf(outer[0]);
      if (wrapper !== '' && outer.length > 1) {
        return refused('The source mixes indentations: give one complete definition that is not indented.');
      }
      return snippetOf({ statements: body, root, whole, indent });
    },
  });
}

const bodyOf = (statement: PythonNode | undefined): PythonNode[] =>
  statement?.childForFieldName('consequence')?.namedChildren.filter((child) => !isExtra(child)) ?? [];

function snippetOf({
  statements,
  root,
  whole,
  indent,
}: {
  readonly statements: readonly PythonNode[];
  readonly root: PythonNode;
  readonly whole: string;
  readonly indent: string;
}): Snippet | Refusal {
  if (statements.some((statement) => statement.type.startsWith('import_') || statement.type.startsWith('future_'))) {
    return refused('The source holds an import statement: name it in `imports`, and give the definition alone.');
  }
  const outline = outlineOf({ root, text: whole });
  const definition = outline.definitions[0];
  if (statements.length !== 1 || definition === undefined || !/definition$/.test(statements[0]?.type ?? '')) {
    return refused(
      'The source must be exactly one complete function or class with its decorators; constants go into it.',
    );
  }
  const node = statements[0]?.childForFieldName('definition') ?? statements[0];
  const parameters = node?.childForFieldName('parameters')?.namedChildren.filter((child) => !isExtra(child)) ?? [];
  return {
    kind: 'snippet',
    type: definition.type,
    name: definition.name,
    text: whole.slice(definition.start, definition.end),
    indent,
    protectedRows: new Set([...protectedLines({ root, text: whole })].map((row) => row - definition.startLine + 1)),
    decorators: definition.decorators,
    takesNothing: definition.type === 'function' && parameters.length === 0,
    firstParameter: definition.parameters[0] ?? null,
    bodyIndent: definition.bodyIndent.slice(indent.length),
    members: outline.definitions.filter((inner) => inner.className === definition.path).map((inner) => inner.name),
  };
}

/** A reason to refuse a function for where it goes: a method without `self`, or `self` outside of a class. */
export function placementProblem({
  snippet,
  inClass,
}: {
  readonly snippet: Snippet;
  readonly inClass: boolean;
}): string | null {
  if (inClass && snippet.takesNothing && !snippet.decorators.includes('staticmethod')) {
    return `\`${snippet.name}\` goes into a class and takes no \`self\`.`;
  }
  if (!inClass && snippet.type === 'function' && snippet.firstParameter === 'self') {
    return `\`${snippet.name}\` takes \`self\` and goes to the module's level: name its class in \`className\`.`;
  }
  return null;
}
