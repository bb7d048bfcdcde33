import type { Lines } from './lines.js';
import type { Outline } from './outline.js';
import type { Snippet } from './snippet.js';

/** A text's line breaks. */
type LineBreakStyle = '\n' | '\r\n' | 'mixed';

/** The line breaks that a text uses; `\n` for one without any. */
function lineBreakStyleOf(text: string): LineBreakStyle {
  if (!text.includes('\r\n')) {
    return '\n';
  }
  return /(^|[^\r])\n/.test(text) ? 'mixed' : '\r\n';
}

/** The line break to write next to a line: the text's own, or that line's where the text mixes them. */
export function lineBreakAt({ lines, line }: { readonly lines: Lines; readonly line: number }): string {
  const style = lineBreakStyleOf(lines.text);
  if (style !== 'mixed') {
    return style;
  }
  return lines.text.slice(lines.contentEnd(line), lines.end(line)) || '\n';
}

/**
 * A snippet as it stands in a file: at the given indentation, with the file's line breaks, with tabs where the file is
 * indented by tabs throughout, and with spaces for tabs where it is not. The inside of strings keeps its characters, line breaks excepted.
 *
 * In a file that mixes line breaks, a snippet that brings `\r\n` itself is taken as it is.
 */
export function placeSnippet({
  snippet,
  indent,
  outline,
  lineBreak,
}: {
  readonly snippet: Snippet;
  readonly indent: string;
  readonly outline: Outline;
  readonly lineBreak: string;
}): string {
  const isTabbed = usesTabs(outline);
  const spacesPerTab = isTabbed && /^ +$/.test(snippet.bodyIndent) ? snippet.bodyIndent.length : 0;
  const unit = !isTabbed && snippet.bodyIndent === '\t' ? unitOf(outline) : null;
  const lines = snippet.text.split('\n').map((line, row) => {
    const isFixed = snippet.protectedRows.has(row) || line.trim() === '' || !line.startsWith(snippet.indent);
    if (isFixed || (snippet.indent === indent && spacesPerTab === 0 && unit === null)) {
      return line;
    }
    const rest = line.slice(snippet.indent.length);
    if (unit !== null) return indent + rest.replace(/^\t+/, (tabs) => unit.repeat(tabs.length));
    return indent + (spacesPerTab === 0 ? rest : tabbed({ line: rest, spacesPerTab }));
  });
  const placed = lines.join('\n');
  if (lineBreakStyleOf(outline.text) === 'mixed' && placed.includes('\r\n')) {
    return placed;
  }
  return placed.replace(/\r?\n/g, lineBreak);
}

/** True when every indented definition and body of a file starts with a tab, and there is one. */
function usesTabs(outline: Outline): boolean {
  const indents = outline.definitions.flatMap(({ indent, bodyIndent }) => [indent, bodyIndent]).filter(Boolean);
  return indents.length > 0 && indents.every((indent) => indent.startsWith('\t'));
}

/** Indentation by spaces of a file's first indented body. */
function unitOf(outline: Outline): string {
  const first = outline.definitions.find(({ indent, bodyIndent }) => /^ +$/.test(bodyIndent.slice(indent.length)));
  return first === undefined ? '    ' : first.bodyIndent.slice(first.indent.length);
}

function tabbed({ line, spacesPerTab }: { readonly line: string; readonly spacesPerTab: number }): string {
  const spaces = /^ */.exec(line)?.[0].length ?? 0;
  const tabs = Math.floor(spaces / spacesPerTab);
  return '\t'.repeat(tabs) + line.slice(tabs * spacesPerTab);
}
