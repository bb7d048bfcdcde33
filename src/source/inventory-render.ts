import type { ReuseEvidence } from '../core/suite.js';
import type { Inventory } from './inventory-link.js';
import type { InventoryEntry } from './inventory-tally.js';

/** The six aspects in the order of the method, with their titles. */
const ASPECTS: readonly { readonly aspect: ReuseEvidence['aspect']; readonly title: string }[] = [
  { aspect: 'api', title: 'Project APIs and imports' },
  { aspect: 'assertion', title: 'Assertion conventions' },
  { aspect: 'fixture', title: 'Fixtures and set-up' },
  { aspect: 'base-class', title: 'Test base classes' },
  { aspect: 'expected-value', title: 'Expected values' },
  { aspect: 'helper', title: 'Helpers' },
];
const MOST_SKIPPED_NAMED = 3;
const PLAIN = /^(-?\d{1,2}|None|True|False|""|\[\]|\(\)|\{\})$/;

interface Section {
  readonly title: string;
  readonly entries: readonly InventoryEntry[];
}

/**
 * An inventory as text for a prompt, at most `maxTokens` tokens long: a section an aspect, a line an entry with its
 * count and place, before them the files by their whole paths. What does not fit is dropped, the least used of an aspect
 * first; every aspect has as many lines as any other, or all of its own. Empty where not even one line fits.
 */
export function renderInventory({
  inventory,
  countTokens,
  maxTokens,
}: {
  readonly inventory: Inventory;
  readonly countTokens: (text: string) => number;
  readonly maxTokens: number;
}): string {
  const sections = ASPECTS.map(({ aspect, title }) => ({
    title,
    entries: tellingFirst(inventory.entries.filter((entry) => entry.aspect === aspect)),
  })).filter(({ entries }) => entries.length > 0);
  const shortOf = shortNames(inventory.entries.flatMap(filesOf));
  const skipped = skippedLine(inventory);
  const order = fitting({ sections, shortOf, countTokens, maxTokens: maxTokens - countTokens(skipped) });
  for (;;) {
    const text = render({ sections, order, shortOf, skipped });
    if (countTokens(text) <= maxTokens) {
      return text;
    }
    if (order.length === 0) {
      return '';
    }
    // A sum of parts may be a token or two off the whole.
    order.pop();
  }
}

/** Small numbers and empty values are compared against everywhere and say nothing of this project: they come last. */
function tellingFirst(entries: readonly InventoryEntry[]): InventoryEntry[] {
  const isPlain = ({ aspect, symbol }: InventoryEntry): boolean => aspect === 'expected-value' && PLAIN.test(symbol);
  return [...entries.filter((entry) => !isPlain(entry)), ...entries.filter(isPlain)];
}

/** Sections by index, once for each of their lines that fits, in the order in which lines are given out. */
function fitting({
  sections,
  shortOf,
  countTokens,
  maxTokens,
}: {
  readonly sections: readonly Section[];
  readonly shortOf: (path: string) => string;
  readonly countTokens: (text: string) => number;
  readonly maxTokens: number;
}): number[] {
  const order: number[] = [];
  const named = new Set<string>();
  let left = maxTokens;
  let open = sections.map((_, index) => index);
  for (let position = 0; open.length > 0; position += 1) {
    open = open.filter((index) => {
      const { title, entries } = sections[index] ?? { title: '', entries: [] };
      const entry = entries[position];
      if (entry === undefined) {
        return false;
      }
      const head = position === 0 ? `${title}:\n${moreLine(entries.length)}\n` : '';
      const files = filesOf(entry).filter((path) => !named.has(path) && shortOf(path) !== path);
      const cost = countTokens(`${head}${entryLine({ entry, shortOf })}\n${files.map((path) => `${path}, `).join('')}`);
      if (cost > left) {
        return false;
      }
      left -= cost;
      order.push(index);
      for (const path of files) {
        named.add(path);
      }
      return true;
    });
  }
  return order;
}

function render({
  sections,
  order,
  shortOf,
  skipped,
}: {
  readonly sections: readonly Section[];
  readonly order: readonly number[];
  readonly shortOf: (path: string) => string;
  readonly skipped: string;
}): string {
  const shown = sections.map(({ title, entries }, index) => {
    const count = order.filter((one) => one === index).length;
    return { title, entries: entries.slice(0, count), more: entries.length - count };
  });
  const paths = [...new Set(shown.flatMap(({ entries }) => entries.flatMap(filesOf)))];
  const long = paths.filter((path) => shortOf(path) !== path).sort();
  const blocks = shown.flatMap(({ title, entries, more }) =>
    entries.length === 0
      ? []
      : [`${title}:`, ...entries.map((entry) => entryLine({ entry, shortOf })), ...(more > 0 ? [moreLine(more)] : [])],
  );
  return [
    ...(long.length > 0 ? [`Files named below: ${long.join(', ')}`] : []),
    ...blocks,
    ...(skipped === '' ? [] : [skipped]),
  ].join('\n');
}

function entryLine({ entry, shortOf }: { entry: InventoryEntry; shortOf: (path: string) => string }): string {
  const { aspect, symbol, count, file, line, detail = '', usedAt } = entry;
  const use = usedAt !== undefined && aspect === 'helper' ? `; used ${shortOf(usedAt.file)}:${usedAt.line}` : '';
  const place = `(${shortOf(file)}:${line}${use})`;
  if (symbol.startsWith('@')) {
    // Only the most frequent arguments: not all uses have them.
    return `  ${symbol} ×${count}${detail === '' ? '' : `, as ${detail}`} ${place}`;
  }
  const isAttached = detail.startsWith('(');
  return `  ${symbol}${detail === '' || isAttached ? detail : ` ${detail}`} ×${count} ${place}`;
}

const filesOf = ({ aspect, file, usedAt }: InventoryEntry): string[] =>
  usedAt === undefined || aspect !== 'helper' ? [file] : [file, usedAt.file];

const moreLine = (count: number): string => `  … ${count} more, used less`;

function skippedLine({ skipped }: Inventory): string {
  if (skipped.length === 0) {
    return '';
  }
  const named = skipped.slice(0, MOST_SKIPPED_NAMED).map(({ file, reason }) => `${file} (${reason})`);
  const more = skipped.length > named.length ? `, and ${skipped.length - named.length} more` : '';
  return `Not read: ${named.join(', ')}${more}.`;
}

/** The shortest ends of paths that no other path has; a file `tests.py` or `__init__.py` shows its folder at least. */
function shortNames(paths: readonly string[]): (path: string) => string {
  const all = [...new Set(paths)];
  const short = new Map(
    all.map((path) => {
      const parts = path.split('/');
      let length = /^(tests?|__init__|conftest)\.py$/.test(parts.at(-1) ?? '') ? 2 : 1;
      const end = (): string => parts.slice(-length).join('/');
      while (length < parts.length && all.some((other) => other !== path && `/${other}`.endsWith(`/${end()}`))) {
        length += 1;
      }
      return [path, end()] as const;
    }),
  );
  return (path) => short.get(path) ?? path;
}
