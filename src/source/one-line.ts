import type { PythonNode } from './parser.js';

/** The source text of neighbouring nodes on one line, without comments. */
export function oneLine({ nodes, source }: { readonly nodes: readonly PythonNode[]; readonly source: string }): string {
  const start = nodes[0]?.startIndex ?? 0;
  const end = nodes.at(-1)?.endIndex ?? start;
  const text = source.slice(start, end);
  if (!text.includes('\n')) {
    return text.trim();
  }
  const comments = nodes.flatMap((node) => node.descendantsOfType('comment'));
  let kept = '';
  let position = start;
  for (const comment of comments) {
    kept += source.slice(position, comment.startIndex);
    position = comment.endIndex;
  }
  kept += source.slice(position, end);
  return kept
    .replace(/\s*\\?\r?\n\s*/g, ' ')
    .replace(/([([{]) /g, '$1')
    .replace(/,? ([)\]}])/g, '$1')
    .trim();
}
