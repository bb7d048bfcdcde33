import { Edit, type Parser, type Tree } from 'web-tree-sitter';
import { lineStart, positionOf } from './lines.js';

/** A parsed text. Its tree lives outside of the garbage collector's reach and is freed once nobody uses it any more. */
interface ParsedText {
  readonly text: string;
  readonly tree: Tree;
  users: number;
}

/** Trees that are kept: one file is read for its inventory, shown, edited and looked at again in turn. */
const MAX_TREES = 4;
/** Characters of all kept texts together; a tree takes some fifty bytes a character. */
const MAX_CHARS = 2_000_000;
/** Shorter texts are parsed in no time. */
const MIN_CHARS = 4_000;

/** A parser that remembers the last few trees. */
export interface TreeSource {
  /** Parses a text, or takes the tree that is there, and calls `use`; nested calls are fine. */
  readonly withTree: <T>(input: { readonly text: string; readonly use: (tree: Tree) => T }) => T;
}

/**
 * Wraps a parser so that a text that was parsed lately is not parsed again, and one that differs from such a text in
 * one place only around there. The trees are the same as those of a parser without a memory.
 */
export function recentTrees(parser: Parser): TreeSource {
  const recent: ParsedText[] = [];

  const openTree = (text: string): ParsedText => {
    const at = recent.findIndex((one) => one.text === text);
    const [known] = at < 0 ? [] : recent.splice(at, 1);
    const parsed = known ?? { text, tree: parse({ parser, text, near: nearest({ recent, text }) }), users: 0 };
    recent.push(parsed);
    parsed.users += 1;
    return parsed;
  };

  const close = (parsed: ParsedText): void => {
    parsed.users -= 1;
    let chars = recent.reduce((sum, { text }) => sum + text.length, 0);
    for (const one of [...recent]) {
      const isTooMuch = recent.length > MAX_TREES || chars > MAX_CHARS;
      if (!isTooMuch && one.text.length >= MIN_CHARS) continue;
      if (one.users > 0) continue;
      recent.splice(recent.indexOf(one), 1);
      chars -= one.text.length;
      one.tree.delete();
    }
  };

  return {
    withTree: ({ text, use }) => {
      const parsed = openTree(text);
      try {
        return use(parsed.tree);
      } finally {
        close(parsed);
      }
    },
  };
}

/** Where two texts differ: a range of each, in whole lines. */
interface Difference {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/** The kept text that differs least from another, if most of it is the same. Only trees without an error are built on. */
function nearest({ recent, text }: { recent: readonly ParsedText[]; text: string }) {
  if (text.length < MIN_CHARS) return undefined;
  let best: { readonly old: ParsedText; readonly difference: Difference } | undefined;
  for (const old of recent) {
    if (Math.abs(old.text.length - text.length) * 4 > text.length || old.tree.rootNode.hasError) continue;
    const difference = differenceOf({ before: old.text, after: text });
    const size = difference.newEnd - difference.start;
    if (size * 4 > text.length || (best !== undefined && size >= best.difference.newEnd - best.difference.start))
      continue;
    best = { old, difference };
  }
  return best;
}

function differenceOf({ before, after }: { before: string; after: string }): Difference {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  const start = lineStart({ text: before, index: same });
  let tail = 0;
  const most = shorter - start;
  while (tail < most && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) {
    tail += 1;
  }
  // The same rest begins with a whole line.
  const lineEnd = before.indexOf('\n', before.length - tail);
  const rest = lineEnd < 0 ? 0 : before.length - lineEnd - 1;
  return { start, oldEnd: before.length - rest, newEnd: after.length - rest };
}

function parse({ parser, text, near }: { parser: Parser; text: string; near: ReturnType<typeof nearest> }): Tree {
  if (near === undefined) return parsed(parser.parse(text));
  const { old, difference } = near;
  const { oldEnd, newEnd } = difference;
  const start = endOfCodeBefore({ text, index: difference.start });
  const base = old.tree.copy();
  try {
    const edit = new Edit({
      startIndex: start,
      oldEndIndex: oldEnd,
      newEndIndex: newEnd,
      startPosition: positionOf({ text: old.text, index: start }),
      oldEndPosition: positionOf({ text: old.text, index: oldEnd }),
      newEndPosition: positionOf({ text, index: newEnd }),
    });
    base.edit(edit);
    return parsed(parser.parse(text, base));
  } finally {
    base.delete();
  }
}

/**
 * Index of the last character in front of an index that is not blank, or 0.
 *
 * An edit that starts there takes a token with it. One that starts behind it touches only the empty tokens that end a
 * line and a block; the parser then looks at all that follows while it still is inside of that block, takes none of it,
 * and parses the rest of the file anew.
 */
function endOfCodeBefore({ text, index }: { text: string; index: number }): number {
  return Math.max(0, text.slice(0, index).trimEnd().length - 1);
}

function parsed(tree: Tree | null): Tree {
  if (tree === null) throw new Error('The Python parser gave no tree.');
  return tree;
}
