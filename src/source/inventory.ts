import type { ReuseEvidence } from '../core/suite.js';
import { fileUses, type UsedSymbol } from './inventory-aspects.js';
import { tally } from './inventory-tally.js';
import { loadPython, syntaxProblemOf } from './parser.js';

/** One piece of a repository's testing knowledge, and how often the given test files use it. */
export interface InventoryEntry extends ReuseEvidence {
  /** Where it is defined, or first used in the file that uses it most. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly count: number;
}

/** What the test files of a repository offer for reuse; plain data. */
export interface Inventory {
  /** Within an aspect the most used first. */
  readonly entries: readonly InventoryEntry[];
  /** Files that were left out. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

/** The six aspects in the order of the method, with their titles. */
const ASPECTS: readonly { readonly aspect: ReuseEvidence['aspect']; readonly title: string }[] = [
  { aspect: 'api', title: 'Project APIs and imports' },
  { aspect: 'assertion', title: 'Assertion conventions' },
  { aspect: 'fixture', title: 'Fixtures and set-up' },
  { aspect: 'base-class', title: 'Test base classes' },
  { aspect: 'expected-value', title: 'Expected values' },
  { aspect: 'helper', title: 'Helpers' },
];

/**
 * Collects the testing knowledge of test files in six aspects, with the number of uses; the same input gives the same
 * inventory.
 *
 * `conftests` contribute their fixtures. `projectModules` are dotted names; an import of one of them or of a module
 * below is a project API. A file that does not parse is reported and skipped.
 */
export async function buildInventory({
  files,
  conftests,
  projectModules,
}: {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly conftests: readonly { readonly path: string; readonly text: string }[];
  readonly projectModules: readonly string[];
}): Promise<Inventory> {
  const python = await loadPython();
  const used: UsedSymbol[] = [];
  const skipped: { file: string; reason: string }[] = [];
  const support = new Set(conftests.map(({ path }) => path));
  const own = files.filter(({ path }) => !support.has(path));
  for (const { path, text } of [...conftests, ...own]) {
    python({
      text,
      use: (root) => {
        const problem = syntaxProblemOf({ root, text });
        if (problem !== null) {
          skipped.push({ file: path, reason: `syntax error in line ${problem.line}` });
          return;
        }
        used.push(...fileUses({ root, text, path, projectModules, isSupport: support.has(path) }));
      },
    });
  }
  return { entries: tally(used), skipped };
}

/**
 * An inventory as text for a prompt, at most `maxTokens` tokens long: a section an aspect, a line an entry. What does
 * not fit is dropped, the least used first, always from the aspect with the most lines left.
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
  const lines = ASPECTS.map(({ aspect, title }) => ({
    title,
    entries: inventory.entries.filter((entry) => entry.aspect === aspect).map(entryLine),
  }));
  const longest = Math.max(0, ...lines.map(({ entries }) => entries.length));
  const skipped = inventory.skipped.map(({ file, reason }) => `Not read: ${file} (${reason}).`);
  const textWith = (keep: number): string => render({ lines, keep, skipped });
  // One line more in every aspect never makes the text shorter.
  let low = 0;
  let high = longest;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (countTokens(textWith(middle)) <= maxTokens) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const text = textWith(low);
  return low > 0 || countTokens(text) <= maxTokens ? text : '';
}

function render({
  lines,
  keep,
  skipped,
}: {
  readonly lines: readonly { readonly title: string; readonly entries: readonly string[] }[];
  readonly keep: number;
  readonly skipped: readonly string[];
}): string {
  const sections = lines.flatMap(({ title, entries }) => {
    const shown = entries.slice(0, keep);
    const more = entries.length > keep ? [`  … ${entries.length - keep} more, used less`] : [];
    return shown.length === 0 ? [] : [`${title}:`, ...shown.map((entry) => `  ${entry}`), ...more];
  });
  return [...sections, ...skipped].join('\n');
}

const entryLine = ({ symbol, count, file, line }: InventoryEntry): string => `${symbol} ×${count} (${file}:${line})`;
