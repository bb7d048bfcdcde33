import { codeNames } from '../core/momentum/code-names.js';
import { topicOf } from './file-affinity.js';
import { rarityOf } from './rarity.js';

/** What an issue's text says about which test files have to do with it. */
export interface IssueClues {
  /** Names of code, as they are written. */
  readonly names: ReadonlySet<string>;
  /** How much each test file's own name points to the issue, by path. */
  readonly topics: ReadonlyMap<string, number>;
}

const WHOLE_TOPIC = 40;
/** A word of the issue's prose against one that is written as code. */
const PROSE = 0.6;
/** A match of less than this share of a name is one of words that many names have. */
const SHARE_OF_TOPIC = 0.4;

/**
 * Reads an issue for names of code, and for the words after which test files are called: `test_lambdify.py`,
 * `bulk_create/tests.py`, `filtered_relation/tests.py` for an issue that speaks of `lambdify`, `bulk_create()`,
 * `FilteredRelation`. The fewer of the `paths` have a word in their name, the more it says.
 */
export function issueClues({ issue, paths }: { issue: string; paths: readonly string[] }): IssueClues {
  const names = codeNames(issue);
  const written = (issue.match(/[A-Za-z_]\w*/g) ?? []).flatMap(partsOf);
  const [prose, exact] = [new Set(written.map(singular)), new Set(written)];
  const code = new Set([...names].flatMap(partsOf).map(singular));
  const topics = paths.map((path) => ({ path, parts: partsOf(topicOf(path)) }));
  const rarity = raritiesIn(topics.map(({ parts }) => parts));
  const scored = topics.map(({ path, parts }): [string, number] => {
    // A name of one word must be met as it is: `keys` may be a module, a key is in every other text.
    const isInProse = (part: string): boolean => (parts.length > 1 ? prose.has(singular(part)) : exact.has(part));
    const weight = (part: string): number => (code.has(singular(part)) ? 1 : isInProse(part) ? PROSE : 0);
    const all = sum(parts.map(rarity));
    const share = all === 0 ? 0 : sum(parts.map((part) => rarity(part) * weight(part))) / all;
    return [path, share < SHARE_OF_TOPIC ? 0 : WHOLE_TOPIC * share * Math.min(1, all)];
  });
  return { names, topics: new Map(scored.filter(([, score]) => score > 0)) };
}

/** How much a word says: the fewer of the names have it, the more. */
function raritiesIn(names: readonly (readonly string[])[]): (word: string) => number {
  const counts = new Map<string, number>();
  for (const words of names) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return (word) => rarityOf({ holders: counts.get(word) ?? 0, total: names.length });
}

/** Words of a name: `FilteredRelation` and `filtered_relation` are both `filtered`, `relation`. */
const partsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter((part) => part.length > 2);

const singular = (word: string): string => word.replace(/s$/, '');

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
