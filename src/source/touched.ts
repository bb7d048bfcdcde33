import { parsePatch, type StructuredPatch } from 'diff';
import { modulesOf } from './module-names.js';
import { type Outline, outlineOf } from './outline.js';
import { loadPython } from './parser.js';

/** A product file that candidates change, as tests may refer to it. */
export interface TouchedFile {
  readonly path: string;
  /** Dotted names of the module, the likeliest first. */
  readonly modules: readonly string[];
  /** Functions, methods, classes and constants whose lines a change touches. */
  readonly symbols: readonly string[];
}

/**
 * What a patch touches in one file: names of the functions, methods, classes and constants whose lines it removes or
 * adds, in the old and in the new text, without `__dunder__` names; and the file's modules ({@link modulesOf}).
 *
 * An added or deleted file has an empty old or new text. A patch without a section for the path, or one that cannot be
 * read, touches no symbol.
 */
export async function touchedSymbols({
  patchText,
  oldText,
  newText,
  path,
  roots = [],
}: {
  readonly patchText: string;
  readonly oldText: string;
  readonly newText: string;
  readonly path: string;
  /** Directories on the import path, relative to the repository's root. */
  readonly roots?: readonly string[];
}): Promise<TouchedFile> {
  const python = await loadPython();
  const { removed, added } = touchedLines({ patchText, path });
  const namesIn = (text: string, lines: readonly number[]): string[] =>
    lines.length === 0 ? [] : python({ text, use: (root) => namesAt({ outline: outlineOf({ root, text }), lines }) });
  const symbols = new Set([...namesIn(newText, added), ...namesIn(oldText, removed)]);
  return {
    path,
    modules: modulesOf({ path, roots }),
    symbols: [...symbols].filter((name) => !/^__\w+__$/.test(name)),
  };
}

/** Line numbers, from 1 and ascending, that a patch removes from and adds to one file. */
function touchedLines({ patchText, path }: { readonly patchText: string; readonly path: string }) {
  const removed: number[] = [];
  const added: number[] = [];
  for (const section of sectionsOf({ patchText, path })) {
    for (const hunk of section.hunks) {
      let oldLine = hunk.oldStart;
      let newLine = hunk.newStart;
      for (const line of hunk.lines) {
        if (line.startsWith('-')) {
          removed.push(oldLine);
          oldLine += 1;
        } else if (line.startsWith('+')) {
          added.push(newLine);
          newLine += 1;
        } else if (!line.startsWith('\\')) {
          oldLine += 1;
          newLine += 1;
        }
      }
    }
  }
  return { removed, added };
}

function sectionsOf({ patchText, path }: { patchText: string; path: string }): readonly StructuredPatch[] {
  const isPath = (name: string | undefined): boolean => name === path || name?.replace(/^[ab]\//, '') === path;
  try {
    return parsePatch(patchText).filter(({ oldFileName, newFileName }) => isPath(oldFileName) || isPath(newFileName));
  } catch {
    return [];
  }
}

/** Names of the definitions and assignments that hold one of the lines. */
function namesAt({ outline, lines }: { readonly outline: Outline; readonly lines: readonly number[] }): string[] {
  const holds = (first: number, last: number): boolean => {
    const next = lines[lowerBound({ lines, value: first })];
    return next !== undefined && next <= last;
  };
  const definitions = outline.definitions.filter(({ startLine, endLine }) => holds(startLine, endLine));
  const assignments = outline.bindings.filter(({ start, end }) =>
    holds(outline.lines.at(start) + 1, outline.lines.at(end) + 1),
  );
  return [...definitions, ...assignments].map(({ name }) => name);
}

/** Position of the first line that is not below a value. */
function lowerBound({ lines, value }: { readonly lines: readonly number[]; readonly value: number }): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
