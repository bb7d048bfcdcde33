import type { ImportStatement } from './import-statement.js';
import type { TextEdit } from './lines.js';
import type { Outline } from './outline.js';
import { lineBreakAt } from './place-snippet.js';

/** Where new import statements go: `before` line breaks, the statements, `after` line breaks. */
export interface ImportPlace {
  readonly index: number;
  readonly before: number;
  readonly after: number;
}

/** Edits that add names to a `from … import …` statement, in the way it is laid out. */
export function extendImport({
  outline,
  statement,
  names,
}: {
  readonly outline: Outline;
  readonly statement: ImportStatement;
  readonly names: readonly string[];
}): readonly TextEdit[] {
  const { lines, text } = outline;
  const last = statement.names.at(-1) ?? statement;
  if (!isOnePerLine({ outline, statement })) {
    return [{ start: last.end, end: last.end, text: names.map((name) => `, ${name}`).join('') }];
  }
  const line = lines.at(last.start);
  const lineBreak = lineBreakAt({ lines, line });
  const indent = text.slice(lines.start(line), last.start);
  const hasComma = /^\s*,/.test(text.slice(last.end, lines.contentEnd(line)));
  const added = names.map((name) => `${lineBreak}${indent}${name}`).join(',') + (hasComma ? ',' : '');
  const end = lines.contentEnd(line);
  return [...(hasComma ? [] : [{ start: last.end, end: last.end, text: ',' }]), { start: end, end, text: added }];
}

function isOnePerLine({ outline, statement }: { outline: Outline; statement: ImportStatement }): boolean {
  const { lines, text } = outline;
  const startsLine = (index: number): boolean => text.slice(lines.start(lines.at(index)), index).trim() === '';
  return (
    statement.closing >= 0 && startsLine(statement.closing) && statement.names.every(({ start }) => startsLine(start))
  );
}

/**
 * The place of new import statements: behind the last import in front of the first definition; else behind the
 * module's docstring, its `__future__` imports, and the comments at its top. `__future__` imports go before all others.
 */
export function newImportPlace({
  outline,
  isFuture,
}: {
  readonly outline: Outline;
  readonly isFuture: boolean;
}): ImportPlace {
  const { lines } = outline;
  const statements = outline.blocks[0]?.statements ?? [];
  const firstDefinition = statements.find(({ type }) => type.endsWith('definition'))?.start ?? Number.POSITIVE_INFINITY;
  const head = outline.imports.filter(({ branch, start }) => branch === '' && start < firstDefinition);
  const lastOf = (future: boolean) => head.findLast(({ module }) => (module === '__future__') === future);
  const behind = (end: number, before: number): ImportPlace => {
    // Another statement on the same line may reach further down.
    const last = statements.reduce(
      (far, one) => (lines.at(one.start) === lines.at(far) ? Math.max(far, one.end) : far),
      end,
    );
    return { index: lines.contentEnd(lines.at(last)), before, after: 0 };
  };
  const imported = lastOf(isFuture);
  if (imported !== undefined) {
    return behind(imported.end, 1);
  }
  const future = isFuture ? undefined : lastOf(true);
  if (future !== undefined) {
    return behind(future.end, 2);
  }
  const first = statements[0];
  if (first !== undefined && isDocstring({ outline, ...first })) {
    return behind(first.end, 2);
  }
  return placeBelowComments({ outline, nextIsDefinition: first?.type.endsWith('definition') ?? false });
}

function isDocstring({ outline, type, start }: { outline: Outline; type: string; start: number }): boolean {
  return type === 'expression_statement' && /^[rRuU]?["']/.test(outline.text.slice(start, start + 2));
}

function placeBelowComments({
  outline,
  nextIsDefinition,
}: {
  outline: Outline;
  nextIsDefinition: boolean;
}): ImportPlace {
  const { lines, text } = outline;
  const lineText = (line: number): string => text.slice(lines.start(line), lines.contentEnd(line));
  let comments = 0;
  while (comments < lines.count && lineText(comments).startsWith('#')) {
    comments += 1;
  }
  const isDetached = comments === lines.count || lines.isBlank(comments);
  if (!isDetached) {
    // The comment belongs to what follows; only what Python and the shell read stays on top.
    comments = [0, 1].findLast((line) => line < comments && /^#!|coding[:=]/.test(lineText(line))) ?? -1;
    comments += 1;
  }
  if (comments > 0 && isDetached) {
    return { index: lines.contentEnd(comments - 1), before: 2, after: 0 };
  }
  const index = comments > 0 ? lines.end(comments - 1) : lines.start(0);
  const rest = text.slice(index).trim();
  return { index, before: 0, after: rest === '' ? 1 : nextIsDefinition ? 3 : 2 };
}
