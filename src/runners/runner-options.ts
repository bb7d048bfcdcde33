/** Options of a test command, sorted. */
export interface SortedOptions {
  readonly kept: readonly string[];
  /** Tests, and options that would change which tests run or stop for a person. */
  readonly leftOut: readonly string[];
}

/** pytest's own options that take the next word as their value when there is no `=`. */
const PYTEST_VALUED = new Set(
  `-k -m -p -o -c -r -W --assert --basetemp --capture --code-highlight --color --config-file --confcutdir
   --deselect --doctest-glob --doctest-report --durations --durations-min --ignore --ignore-glob --import-mode
   --junit-prefix --junit-xml --junitprefix --junitxml --log-auto-indent --log-cli-date-format --log-cli-format
   --log-cli-level --log-date-format --log-disable --log-file --log-file-date-format --log-file-format
   --log-file-level --log-file-mode --log-format --log-level --override-ini --pastebin --pdbcls --pythonwarnings
   --rootdir --show-capture --tb --verbosity`.split(/\s+/),
);

/** pytest's own options without a value: a word after one of them is a test. */
const PYTEST_FLAGS = new Set(
  `-l -q -s -v -h -V --cache-clear --continue-on-collection-errors --disable-pytest-warnings
   --disable-plugin-autoload --disable-warnings --doctest-continue-on-failure --doctest-ignore-import-errors
   --doctest-modules --force-short-summary --full-trace --fulltrace --keep-duplicates --keepduplicates
   --no-fold-skipped --no-header --no-showlocals --no-summary --noconftest --pyargs --quiet --runxfail --setup-show
   --showlocals --strict --strict-config --strict-markers --collect-in-virtualenv --trace-config --verbose --xfail-tb
   --debug`.split(/\s+/),
);

/** Asked for, they would keep the tests from running. */
const PYTEST_INSTEAD = new Set(
  `-h --help -V --version --co --collect-only --fixtures --funcargs --fixtures-per-test --markers --cache-show
   --setup-only --setup-plan --setuponly --setupplan --pdb --trace -x --exitfirst`.split(/\s+/),
);

/**
 * Sorts pytest's options and tests. A word behind an option that pytest itself does not have (a plugin's) is taken for
 * its value unless it looks like a test; `--option=value` is never in doubt.
 *
 * What a project's configuration adds is not seen here: the recorder plugin leaves that out in the same spirit.
 */
export function pytestOptions(words: readonly string[]): SortedOptions {
  const kept: string[] = [];
  const leftOut: string[] = [];
  let takesNext: 'no' | 'yes' | 'perhaps' = 'no';
  for (const word of words) {
    const isOption = word.startsWith('-') && takesNext !== 'yes';
    const isValue = takesNext === 'yes' || (takesNext === 'perhaps' && !looksLikeTests(word));
    takesNext = 'no';
    if (!isOption) {
      (isValue ? kept : leftOut).push(word);
    } else if (PYTEST_INSTEAD.has(word)) {
      leftOut.push(word);
    } else {
      kept.push(word);
      takesNext = nextWord(word);
    }
  }
  return { kept, leftOut };
}

function nextWord(option: string): 'no' | 'yes' | 'perhaps' {
  if (PYTEST_VALUED.has(option)) return 'yes';
  if (PYTEST_FLAGS.has(option) || option.includes('=')) return 'no';
  // `-vv`, `-qs` and `-rA`, `-kname` alike need nothing more.
  return /^-[^-]./.test(option) ? 'no' : 'perhaps';
}

const looksLikeTests = (word: string): boolean =>
  /(\.py$|::|\/$|^tests?$|^tests?\/|\/tests?(\/|$))/.test(word) || /(^|\/)test_[^/]*$/.test(word);

/**
 * Sorts the options of `python -m unittest`. `-k`, `-b` and `discover` with its start and top-level folders stay, since
 * they say how test modules are named and chosen; the positional form `discover START PATTERN TOP` becomes options.
 */
export function unittestOptions(words: readonly string[]): SortedOptions {
  const kept: string[] = [];
  const leftOut: string[] = [];
  const queue = [...words];
  const discovers = queue[0] === 'discover';
  if (discovers) kept.push(queue.shift() ?? '');
  const places = discovers ? ['-s', '-p', '-t'] : [];
  for (let word = queue.shift(); word !== undefined; word = queue.shift()) {
    const [name, value] = splitOption(word);
    const place = word.startsWith('-') ? UNITTEST_NAMES[name] : places.shift();
    const given = word.startsWith('-') ? value : word;
    if (place === undefined) leftOut.push(word);
    else if (place === '-b') kept.push(place);
    else if (place === '-p') leftOut.push(place, given ?? queue.shift() ?? '');
    else kept.push(place, given ?? queue.shift() ?? '.');
  }
  return { kept, leftOut };
}

/** Short names of the options that are understood; all but `-b` take a value. */
const UNITTEST_NAMES: Readonly<Record<string, string>> = {
  '-b': '-b',
  '--buffer': '-b',
  '-k': '-k',
  '-p': '-p',
  '--pattern': '-p',
  '-s': '-s',
  '--start-directory': '-s',
  '-t': '-t',
  '--top-level-directory': '-t',
};

function splitOption(word: string): readonly [string, string?] {
  const equals = word.indexOf('=');
  if (word.startsWith('--') && equals > 0) return [word.slice(0, equals), word.slice(equals + 1)];
  return /^-[kpst]./.test(word) ? [word.slice(0, 2), word.slice(2)] : [word];
}
