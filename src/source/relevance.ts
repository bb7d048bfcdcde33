import { namingScore } from './file-affinity.js';
import { type ScannedImport, scanImports } from './import-scan.js';
import { issueClues } from './issue-clues.js';
import { modulesOf } from './module-names.js';
import { rarityOf } from './rarity.js';
import type { TouchedFile } from './touched.js';

/** A test file that is worth running, and the strongest reason for it. */
export interface RankedTestFile {
  readonly path: string;
  readonly reason: string;
}

interface Clue {
  readonly score: number;
  readonly reason: string;
}

interface TestFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly ScannedImport[];
  /** How often each touched symbol occurs as a word. */
  readonly words: ReadonlyMap<string, number>;
}

const IMPORTS_SYMBOL = 100;
const IMPORTS_MODULE = 60;
const USES_THROUGH_PACKAGE = 50;
const NAMES_RARE_SYMBOL = 20;
const NAMES_OF_ISSUE = 12;
const MOST_FOR_NAMES = 60;
/** Below this a file only names a symbol that most test files name. */
const WORTH_RUNNING = 5;
/** Below this share of the best file's score a file has a word in common by chance, such as `copy`. */
const SHARE_OF_BEST = 0.1;

/**
 * Test files that have to do with the touched files and the issue, the most relevant first, at most `limit`.
 *
 * Counted, summed over the touched files: importing a touched symbol from its module, importing the module (plainly,
 * relatively, from its package), taking a touched symbol from a package above it, naming touched symbols (the rarer
 * among the test files the more), and being called after the file or lying in a directory of its name. Files without
 * any of these, or with little beside the best one, are left out. Then come those that the issue's text points to:
 * they are called after what it names ({@link issueClues}), or name the code that it names. Where these are more files
 * than `limit`, both reasons are added up. Equal scores are ordered by path; no syntax tree is built.
 */
export function rankTestFiles({
  testFiles,
  touched,
  issue = '',
  limit,
}: {
  readonly testFiles: readonly { readonly path: string; readonly text: string }[];
  readonly touched: readonly TouchedFile[];
  /** The issue's text. */
  readonly issue?: string;
  readonly limit: number;
}): readonly RankedTestFile[] {
  const merged = mergeByPath(touched);
  const touchedNames = new Set(merged.flatMap(({ symbols }) => symbols));
  const clues = issueClues({ issue, paths: testFiles.map(({ path }) => path) });
  const issueNames = [...clues.names].filter((name) => !touchedNames.has(name));
  const wanted = new Set([...touchedNames, ...issueNames]);
  const files = testFiles.map(({ path, text }): TestFile => {
    return { path, text, imports: scanImports({ path, text }), words: countWords({ text, wanted }) };
  });
  const rarity = raritiesOf({ files, wanted });
  const paths = files.map(({ path }) => path);
  const naming = merged.map((file) => namingScore({ file, paths }));
  const scored = files.map((test) => {
    let code: Scored = { path: test.path, score: 0, best: { score: 0, reason: '' } };
    for (const [index, file] of merged.entries()) {
      const { name = 0, words = 0 } = naming[index]?.get(test.path) ?? {};
      const base = file.path.slice(file.path.lastIndexOf('/') + 1);
      const found = [
        importClue({ test, file }),
        nameClue({ test, symbols: file.symbols, rarity, weight: NAMES_RARE_SYMBOL }),
        { score: name, reason: `is called after ${base}` },
      ];
      code = withClues(code, found);
      code = { ...code, score: code.score + words };
    }
    const named = nameClue({ test, symbols: issueNames, rarity, weight: NAMES_OF_ISSUE });
    const both = withClues(code, [
      { score: clues.topics.get(test.path) ?? 0, reason: 'is called after what the issue names' },
      { ...named, reason: `${named.reason}, as the issue does` },
    ]);
    return { code, both };
  });
  const byCode = inOrder(scored.map(({ code }) => code));
  const byBoth = inOrder(scored.map(({ both }) => both));
  const known = new Set(byCode.map(({ path }) => path));
  const all = [...byCode, ...byBoth.filter(({ path }) => !known.has(path))];
  return all.length > limit ? byBoth.slice(0, limit) : all;
}

interface Scored {
  readonly path: string;
  readonly score: number;
  readonly best: Clue;
}

const withClues = (before: Scored, clues: readonly Clue[]): Scored => ({
  path: before.path,
  score: clues.reduce((sum, clue) => sum + clue.score, before.score),
  best: clues.reduce((left, right) => (right.score > left.score ? right : left), before.best),
});

/** Those that are worth running, the best first. */
function inOrder(scored: readonly Scored[]): readonly RankedTestFile[] {
  const top = Math.max(0, ...scored.map(({ score }) => score));
  return scored
    .filter(({ best, score }) => best.score >= WORTH_RUNNING && score >= top * SHARE_OF_BEST)
    .sort((left, right) => right.score - left.score || (left.path < right.path ? -1 : 1))
    .map(({ path, best }) => ({ path, reason: best.reason }));
}

/** One entry a path, with the symbols that any candidate touches. */
function mergeByPath(touched: readonly TouchedFile[]): readonly TouchedFile[] {
  const byPath = new Map<string, TouchedFile>();
  for (const file of touched) {
    const known = byPath.get(file.path);
    byPath.set(file.path, {
      path: file.path,
      modules: [...new Set([...(known?.modules ?? []), ...file.modules])],
      symbols: [...new Set([...(known?.symbols ?? []), ...file.symbols])],
    });
  }
  return [...byPath.values()];
}

function countWords({ text, wanted }: { text: string; wanted: ReadonlySet<string> }): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (wanted.size > 0) {
    for (const [word] of text.matchAll(/[\p{L}_][\p{L}\p{N}_]*/gu)) {
      if (wanted.has(word)) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** How much naming a symbol says: the fewer test files do, the more. */
function raritiesOf({ files, wanted }: { files: readonly TestFile[]; wanted: ReadonlySet<string> }) {
  return new Map(
    [...wanted].map((symbol) => {
      const holders = files.reduce((sum, { words }) => sum + (words.has(symbol) ? 1 : 0), 0);
      return [symbol, rarityOf({ holders, total: files.length })];
    }),
  );
}

function importClue({ test, file }: { readonly test: TestFile; readonly file: TouchedFile }): Clue {
  let best: Clue = { score: 0, reason: '' };
  const modules = new Set([...file.modules, ...modulesOf({ path: file.path })]);
  for (const one of test.imports) {
    const clue = clueOf({ one, test, file, modules });
    best = clue.score > best.score ? clue : best;
  }
  return best;
}

function clueOf({
  one,
  test,
  file,
  modules,
}: {
  readonly one: ScannedImport;
  readonly test: TestFile;
  readonly file: TouchedFile;
  readonly modules: ReadonlySet<string>;
}): Clue {
  const { module, names, bound } = one;
  const symbol = names.find((name) => file.symbols.includes(name));
  if (modules.has(module)) {
    return symbol === undefined
      ? { score: IMPORTS_MODULE, reason: `imports ${module}` }
      : { score: IMPORTS_SYMBOL, reason: `imports ${symbol} from ${module}` };
  }
  const child = names.find((name) => modules.has(`${module}.${name}`));
  if (child !== undefined) {
    return { score: IMPORTS_MODULE, reason: `imports ${module}.${child}` };
  }
  if (![...modules].some((name) => name.startsWith(`${module}.`)) || module === '') {
    return { score: 0, reason: '' };
  }
  const used =
    symbol ??
    (names.includes('*') ? file.symbols.find((name) => test.words.has(name)) : undefined) ??
    (bound === '' ? undefined : attributeUsed({ bound, module, test, file, modules }));
  return used === undefined
    ? { score: 0, reason: '' }
    : { score: USES_THROUGH_PACKAGE, reason: `uses ${used} through ${module}` };
}

/** What a file reaches through a plainly imported package: the touched module, or a symbol that the package passes on. */
function attributeUsed({
  bound,
  module,
  test,
  file,
  modules,
}: {
  readonly bound: string;
  readonly module: string;
  readonly test: TestFile;
  readonly file: TouchedFile;
  readonly modules: ReadonlySet<string>;
}): string | undefined {
  const whole = [...modules].find((name) => name.startsWith(`${module}.`));
  const path = whole === undefined ? undefined : bound + whole.slice(module.length);
  if (path !== undefined && test.text.includes(path)) {
    return path;
  }
  return file.symbols.find((name) => test.words.has(name) && test.text.includes(`${bound}.${name}`));
}

function nameClue({
  test,
  symbols,
  rarity,
  weight,
}: {
  readonly test: TestFile;
  readonly symbols: readonly string[];
  readonly rarity: ReadonlyMap<string, number>;
  /** Of a symbol that no other test file names. */
  readonly weight: number;
}): Clue {
  const scored = symbols
    .filter((symbol) => test.words.has(symbol))
    .map((symbol) => {
      const often = Math.min(1, 0.5 + (test.words.get(symbol) ?? 0) / 8);
      return { symbol, score: weight * (rarity.get(symbol) ?? 0) * often };
    })
    .sort((left, right) => right.score - left.score);
  const score = Math.min(
    MOST_FOR_NAMES,
    scored.reduce((sum, one) => sum + one.score, 0),
  );
  const names = scored.slice(0, 3).map(({ symbol }) => symbol);
  return { score, reason: `names ${names.join(', ')}` };
}
