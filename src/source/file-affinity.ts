import type { TouchedFile } from './touched.js';

const CALLED_AFTER = 30;
const CALLED_AFTER_ELSEWHERE = 10;
const STARTS_WITH = 15;
const SAME_WORD = 4;
const MOST_FOR_WORDS = 12;

/** How much a test file's name points to a touched file. */
export interface NamingScore {
  /** For being called after it. */
  readonly name: number;
  /** For words that the directories have in common: no reason by itself. */
  readonly words: number;
}

/**
 * How much the names of test files point to a touched file, by path: `test_foo.py`, `foo_test.py` or `foo/tests.py` for
 * `foo.py`, less for `test_foo_bar.py`. Where several test files are called after it, one that shares no directory word
 * with it counts less.
 */
export function namingScore({
  file,
  paths,
}: {
  readonly file: TouchedFile;
  readonly paths: readonly string[];
}): ReadonlyMap<string, NamingScore> {
  const parts = file.path.replace(/(\/__init__)?\.\w+$/, '').split('/');
  const base = (parts.at(-1) ?? '').replace(/^_+|_+$/g, '').toLowerCase();
  // The top package is in the path of every test that lies in the package.
  const words = wordsOf(parts.slice(1, -1));
  const matches = paths.map((path) => ({ path, ...matchOf({ path, base, words }) }));
  const exact = matches.filter(({ name }) => name === CALLED_AFTER).length;
  return new Map(
    matches.map(({ path, name, shared }) => {
      const isElsewhere = name === CALLED_AFTER && exact > 1 && shared === 0;
      const score = isElsewhere ? CALLED_AFTER_ELSEWHERE : name;
      return [path, { name: score, words: Math.min(MOST_FOR_WORDS, SAME_WORD * shared) }];
    }),
  );
}

function matchOf({ path, base, words }: { path: string; base: string; words: ReadonlySet<string> }) {
  const parts = path.toLowerCase().split('/');
  const own = topicOf(path);
  const isNamed = base !== '' && own === base;
  const name = isNamed ? CALLED_AFTER : base !== '' && own.startsWith(`${base}_`) ? STARTS_WITH : 0;
  const shared = [...wordsOf(parts.slice(0, -1))].filter((word) => words.has(word)).length;
  return { name, shared };
}

/** What a test file is about by its name: `foo_bar` for `test_foo_bar.py` and `foo_bar/tests.py`. */
export function topicOf(path: string): string {
  const parts = path.toLowerCase().split('/');
  const own = (parts.at(-1) ?? '').replace(/\.py$/, '').replace(/^tests?_|_tests?$/g, '');
  return own === 'tests' || own === 'test' ? (parts.at(-2) ?? '').replace(/^tests?_|_tests?$/g, '') : own;
}

/** Words of directory names in the singular, without those that say nothing. */
function wordsOf(folders: readonly string[]): ReadonlySet<string> {
  const words = folders.flatMap((folder) => folder.toLowerCase().split(/[_\-.]/)).map((word) => word.replace(/s$/, ''));
  return new Set(words.filter((word) => word.length > 2 && !/^(test|testing|src|lib|python|unit)$/.test(word)));
}
