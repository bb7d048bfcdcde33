import { type DefinitionKind, rolesOf } from './naming.js';
import { type Outline, outlineOf, sourceOf } from './outline.js';
import { loadPython } from './parser.js';

/** A test, helper, fixture or class of a Python file, by its qualified name. */
export interface IndexedDefinition {
  readonly file: string;
  /** `Class::test`, `Outer::Inner::test` or `test`. */
  readonly name: string;
  readonly kind: DefinitionKind;
  /** First line, decorators included, from 1. */
  readonly startLine: number;
  /** Last line, inclusive. */
  readonly endLine: number;
  readonly className: string | null;
  /** True when pytest or unittest collects it where it stands. */
  readonly isTest: boolean;
  /** Decorators as written, without `@`. */
  readonly decorators: readonly string[];
  /** The complete definition with its decorators, not indented; the inside of strings is as in the file. */
  readonly source: string;
}

/**
 * Lists the classes and functions of a test file in the order of the text: methods, nested classes, async functions and
 * definitions under `if`, `try` or `with` included, functions inside of functions not.
 *
 * Never throws on bad syntax; what the parser cannot make sense of is missing from the list. A name that is defined
 * twice is listed twice: the last one is the one that Python keeps.
 */
export async function indexTests({
  file,
  text,
}: {
  readonly file: string;
  readonly text: string;
}): Promise<readonly IndexedDefinition[]> {
  const python = await loadPython();
  return indexOutline({ file, outline: python({ text, use: (root) => outlineOf({ root, text }) }) });
}

/** {@link indexTests} of an outline. */
function indexOutline({
  file,
  outline,
}: {
  readonly file: string;
  readonly outline: Outline;
}): readonly IndexedDefinition[] {
  const roles = rolesOf(outline);
  return outline.definitions.map((definition, index) => ({
    file,
    name: definition.path,
    kind: roles[index]?.kind ?? 'helper',
    startLine: definition.startLine,
    endLine: definition.endLine,
    className: definition.className,
    isTest: roles[index]?.isTest ?? false,
    decorators: definition.decorators,
    source: sourceOf({ outline, definition }),
  }));
}
