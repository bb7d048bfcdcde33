import type { Operation } from '../core/suite.js';
import { type Outline, sourceOf } from './outline.js';
import type { UsePython } from './parser.js';
import { lineBreakAt, placeSnippet } from './place-snippet.js';
import { type PlannedEdit, type Refusal, refused } from './planned-edit.js';
import { resolveDefinition, takenName } from './resolve.js';
import { placementProblem, readSnippet } from './snippet.js';

/** Plans the replacement of one function or class by a complete new definition. */
export function planUpdate({
  python,
  outline,
  operation,
  path,
}: {
  readonly python: UsePython;
  readonly outline: Outline;
  readonly operation: Extract<Operation, { op: 'update' }>;
  /** Qualified name of the definition. */
  readonly path: string;
}): PlannedEdit | Refusal {
  const found = resolveDefinition({ outline, path });
  if (found.kind === 'refused') {
    return found;
  }
  const snippet = readSnippet({ python, source: operation.source });
  if (snippet.kind === 'refused') {
    return snippet;
  }
  const { definition, index } = found;
  if (snippet.type !== definition.type) {
    return refused(`\`${definition.path}\` is a ${definition.type}, and the source is a ${snippet.type}.`);
  }
  const owner = outline.blocks[definition.block]?.owner ?? -1;
  if (snippet.name !== definition.name) {
    const taken = takenName({ outline, owner, name: snippet.name });
    if (taken !== null) {
      return refused(`The source renames \`${definition.path}\`, and ${taken}.`);
    }
  }
  const problem = placementProblem({ snippet, inClass: owner >= 0 });
  if (problem !== null && snippet.firstParameter !== (definition.parameters[0] ?? null)) {
    return refused(problem);
  }
  const members = new Set(snippet.members);
  const dropped = outline.definitions.filter(
    (member) => outline.blocks[member.block]?.owner === index && !members.has(member.name),
  );
  if (dropped.length > 0) {
    const names = dropped.map(({ path }) => `\`${path}\``).join(', ');
    return refused(`The new class lacks ${names}: give the class complete, and delete obsolete tests by name.`);
  }
  // A line that is indented less than its definition comes back from being shown with more indentation.
  const isSame = operation.source === sourceOf({ outline, definition });
  const renamed = definition.className === null ? snippet.name : `${definition.className}::${snippet.name}`;
  const lineBreak = lineBreakAt({ lines: outline.lines, line: definition.startLine - 1 });
  const text = placeSnippet({ snippet, indent: definition.indent, outline, lineBreak });
  return {
    kind: 'planned',
    edits: isSame ? [] : [{ start: definition.start, end: definition.end, text }],
    touches: [definition.path, renamed],
    leaves: renamed,
    removedSource: outline.text.slice(definition.start, definition.end),
  };
}
