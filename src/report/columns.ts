import stringWidth from 'string-width';

/** Width in terminal columns; wide characters count two. */
export const widthOf = (text: string): number => stringWidth(text);

/** The longest beginning of a text that is at most `columns` wide. */
function beginning({ text, columns }: { text: string; columns: number }): string {
  let kept = '';
  for (const character of text) {
    if (widthOf(kept + character) > columns) {
      break;
    }
    kept += character;
  }
  return kept;
}

/** Text cut to at most `columns`, the cut marked by `...`. */
export function cut({ text, columns }: { text: string; columns: number }): string {
  if (widthOf(text) <= columns) {
    return text;
  }
  const mark = columns > 3 ? '...' : '';
  return beginning({ text, columns: columns - mark.length }) + mark;
}

/** Text cut in its middle, for names whose end tells more than their middle. */
export function cutMiddle({ text, columns }: { text: string; columns: number }): string {
  if (widthOf(text) <= columns || columns < 8) {
    return cut({ text, columns });
  }
  const characters = [...text];
  const head = Math.floor((columns - 3) / 3);
  const tail = columns - 3 - head;
  return `${characters.slice(0, head).join('')}...${characters.slice(-tail).join('')}`;
}

/** Text cut and filled with spaces to exactly `columns`. */
export function fill({ text, columns }: { text: string; columns: number }): string {
  const shown = cut({ text, columns });
  return shown + ' '.repeat(Math.max(0, columns - widthOf(shown)));
}

/** Ids of tests, paths and addresses: they are there to be copied, and half of one is of no use. */
const isName = (word: string): boolean => /::|\w\/\w/.test(word);

/**
 * Words wrapped to lines of at most `columns`; words longer than a line are split. With `wholeNames` an id, path or
 * address that is longer stands on a line of its own, which is then wider.
 */
export function wrap({
  text,
  columns,
  wholeNames = false,
}: {
  text: string;
  columns: number;
  wholeNames?: boolean;
}): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    let rest = word;
    if (line !== '' && widthOf(line) + 1 + widthOf(rest) > columns) {
      lines.push(line);
      line = '';
    }
    while (widthOf(rest) > columns && !(wholeNames && isName(rest))) {
      const head = beginning({ text: rest, columns: Math.max(columns, 2) });
      lines.push(head);
      rest = rest.slice(head.length);
    }
    line = line === '' ? rest : `${line} ${rest}`;
  }
  return line === '' ? lines : [...lines, line];
}

/**
 * Wrapped text whose first line starts with `first` and the others with as many spaces. Ids, paths and addresses stay
 * whole, see {@link wrap}.
 */
export function hanging({ first, text, columns }: { first: string; text: string; columns: number }): string[] {
  const indent = ' '.repeat(widthOf(first));
  return wrap({ text, columns: Math.max(20, columns - indent.length), wholeNames: true }).map(
    (line, index) => (index === 0 ? first : indent) + line,
  );
}
