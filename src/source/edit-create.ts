import type { Operation } from '../core/suite.js';
import { endOfClass, endOfModule, type InsertionPoint, insertionOf } from './insertion.js';
import { newClassHeader } from './new-class.js';
import type { Outline } from './outline.js';
import type { UsePython } from './parser.js';
import { placeSnippet } from './place-snippet.js';
import { type PlannedEdit, type Refusal, refused } from './planned-edit.js';
import { resolveDefinition, takenName } from './resolve.js';
import { placementProblem, readSnippet, type Snippet } from './snippet.js';

type Create = Extract<Operation, { op: 'create' }>;

/** Plans the insertion of a definition into a class, into a new class, or at the module's end. */
export function planCreate({
  python,
  outline,
  operation,
}: {
  readonly python: UsePython;
  readonly outline: Outline;
  readonly operation: Create;
}): PlannedEdit | Refusal {
  const snippet = readSnippet({ python, source: operation.source });
  if (snippet.kind === 'refused') {
    return snippet;
  }
  const { className, name } = operation;
  const isWholeClass = snippet.type === 'class' && (className === undefined || snippet.name === className);
  if (snippet.name !== name && !(isWholeClass && snippet.name === className)) {
    return refused(`The source defines \`${snippet.name}\`, and the operation creates \`${name}\`.`);
  }
  if (isWholeClass || className === undefined) {
    return intoModule({ outline, snippet });
  }
  if (takenName({ outline, owner: -1, name: className }) === null && !className.includes('::')) {
    return intoNewClass({ outline, snippet, className });
  }
  return intoClass({ outline, snippet, className });
}

function intoModule({ outline, snippet }: { outline: Outline; snippet: Snippet }): PlannedEdit | Refusal {
  const taken = takenName({ outline, owner: -1, name: snippet.name });
  const problem = placementProblem({ snippet, inClass: false });
  if (taken !== null || problem !== null) {
    return refused(problem ?? `Cannot create: ${taken}; use an update to change it, or choose another name.`);
  }
  const point = endOfModule(outline);
  return planned({ point, text: placed({ outline, snippet, point }), name: snippet.name });
}

function intoNewClass({
  outline,
  snippet,
  className,
}: {
  outline: Outline;
  snippet: Snippet;
  className: string;
}): PlannedEdit | Refusal {
  const header = newClassHeader({ outline, className });
  const problem = header === null ? null : placementProblem({ snippet, inClass: true });
  if (header === null || problem !== null) {
    return refused(
      problem ??
        `There is no class \`${className}\`, and no runner would collect a plain one: give the class as the source.`,
    );
  }
  const point = endOfModule(outline);
  const body = placeSnippet({ snippet, indent: header.bodyIndent, outline, lineBreak: point.lineBreak });
  return planned({ point, text: header.text + point.lineBreak + body, name: className });
}

function intoClass({
  outline,
  snippet,
  className,
}: {
  outline: Outline;
  snippet: Snippet;
  className: string;
}): PlannedEdit | Refusal {
  const found = resolveDefinition({ outline, path: className });
  if (found.kind === 'refused') {
    return found;
  }
  const { definition, index } = found;
  if (definition.type !== 'class') {
    return refused(`\`${className}\` is a function, not a class.`);
  }
  const taken = takenName({ outline, owner: index, name: snippet.name });
  const problem = placementProblem({ snippet, inClass: true });
  if (taken !== null || problem !== null) {
    return refused(problem ?? `Cannot create: ${taken}; use an update to change it, or choose another name.`);
  }
  const point = endOfClass({ outline, definition });
  if (point === null) {
    return refused(`\`${className}\` has its body on the line of its header: update the class as a whole.`);
  }
  const name = `${definition.path}::${snippet.name}`;
  return planned({ point, text: placed({ outline, snippet, point }), name });
}

function placed({ outline, snippet, point }: { outline: Outline; snippet: Snippet; point: InsertionPoint }): string {
  return placeSnippet({ snippet, indent: point.indent, outline, lineBreak: point.lineBreak });
}

function planned({ point, text, name }: { point: InsertionPoint; text: string; name: string }): PlannedEdit {
  return { kind: 'planned', edits: [insertionOf({ point, text })], touches: [name], leaves: name };
}
