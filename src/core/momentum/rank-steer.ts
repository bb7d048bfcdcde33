import type { ReuseEvidence } from '../suite.js';

/** A piece of the repository's testing knowledge, as far as the ranking looks at it. */
export interface SteerCandidate {
  readonly aspect: ReuseEvidence['aspect'];
  /** As a test writes it: `cachetools.LRUCache`, `self.assertBetween`, `make_app`. */
  readonly symbol: string;
  /** Where it is defined or first used. */
  readonly file: string;
  readonly count: number;
  /** A signature, a scope, the module of a base class. */
  readonly detail?: string | undefined;
}

/** What the candidates change. */
export interface TouchedCode {
  readonly paths: readonly string[];
  /** Dotted names of the changed modules. */
  readonly modules: readonly string[];
  /** Functions, methods, classes and constants. */
  readonly symbols: readonly string[];
}

const ITEMS_AT_MOST = 5;
/** Shorter names are part of others by chance. */
const NAMESAKE_LETTERS = 4;

/** Vocabulary of the test frameworks themselves: every model knows it, so that it shows no new direction. */
const FRAMEWORK = new Set(
  `tmp_path tmpdir tmp_path_factory tmpdir_factory monkeypatch capsys capfd capsysbinary caplog request recwarn
   pytestconfig cache mocker setUp tearDown setUpClass tearDownClass setup_method teardown_method setup_class
   teardown_class setUpModule tearDownModule TestCase SimpleTestCase IsolatedAsyncioTestCase object parametrize skip
   skipif skipIf skipUnless xfail usefixtures raises warns approx fail fixture mark Mock MagicMock patch ANY assert
   expectedFailure`.split(/\s+/),
);
const FRAMEWORK_ASSERTION =
  /^assert($|\s)|^assert(Not)?(Almost)?(Equals?|True|False|Is|IsNot|IsNone|IsNotNone|In|IsInstance|Raises|RaisesRegex|Warns|WarnsRegex|Logs|NoLogs|Greater|GreaterEqual|Less|LessEqual|Regex|CountEqual|MultiLineEqual|SequenceEqual|ListEqual|TupleEqual|SetEqual|DictEqual|ItemsEqual)$/;

const TITLES: Readonly<Partial<Record<ReuseEvidence['aspect'], string>>> = {
  assertion: 'assertion',
  fixture: 'fixture',
  'base-class': 'base class',
  helper: 'helper',
};

/**
 * Where to go instead: pieces of the testing knowledge that no failed update has used, at most five, best first.
 *
 * First what the issue names, then what the candidates' changes touch, then what is named after that (`LRUCache` where
 * `Cache` changes), then the rest of the touched modules with the project's own assertions, fixtures, base classes and
 * helpers; within each of them the most used first. Left out are bare values, what the test frameworks offer themselves,
 * and product code that has nothing to do with the changes.
 */
export function rankSteer({
  candidates,
  issueNames,
  touched,
  used,
}: {
  candidates: readonly SteerCandidate[];
  issueNames: ReadonlySet<string>;
  touched: TouchedCode;
  /** Source of the failed updates' tests. */
  used: string;
}): string[] {
  const usedNames = new Set(used.match(/[\p{L}_][\p{L}\p{N}_]*/gu));
  const symbols = new Set(touched.symbols);
  const ranked = candidates.flatMap((candidate) => {
    const names = candidate.symbol.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
    const name = names.at(-1) ?? '';
    if (name.length < 3 || usedNames.has(name) || isGeneric({ candidate, name })) return [];
    const relation = relationOf({ candidate, names, issueNames, symbols, touched });
    return relation === 0 ? [] : [{ candidate, relation }];
  });
  ranked.sort(
    (a, b) =>
      b.relation - a.relation ||
      b.candidate.count - a.candidate.count ||
      (a.candidate.symbol < b.candidate.symbol ? -1 : a.candidate.symbol > b.candidate.symbol ? 1 : 0),
  );
  const shown = new Map<string, string>();
  for (const { candidate } of ranked) {
    const name = candidate.symbol.replace(/^.*\./, '');
    if (!shown.has(name)) shown.set(name, steerText(candidate));
  }
  return [...shown.values()].slice(0, ITEMS_AT_MOST);
}

function relationOf({
  candidate: { aspect, symbol, file },
  names,
  issueNames,
  symbols,
  touched,
}: {
  candidate: SteerCandidate;
  names: readonly string[];
  issueNames: ReadonlySet<string>;
  symbols: ReadonlySet<string>;
  touched: TouchedCode;
}): number {
  const name = names.at(-1) ?? '';
  if (issueNames.has(name)) return 4;
  if (names.some((each) => symbols.has(each))) return 3;
  const isNear = touched.paths.includes(file) || touched.modules.some((module) => symbol.startsWith(`${module}.`));
  if (isNear && touched.symbols.some((each) => each.length >= NAMESAKE_LETTERS && name.includes(each))) return 2;
  return aspect === 'api' && !isNear ? 0 : 1;
}

function isGeneric({ candidate: { aspect, symbol }, name }: { candidate: SteerCandidate; name: string }): boolean {
  if (aspect === 'expected-value' || FRAMEWORK.has(name)) return true;
  return FRAMEWORK_ASSERTION.test(name) || /^(pytest|unittest|mock)\./.test(symbol);
}

function steerText({ aspect, symbol, detail }: SteerCandidate): string {
  const title = TITLES[aspect];
  const signature = detail?.startsWith('(') === true && detail.length <= 40 ? detail : '';
  return `${title === undefined ? '' : `${title} `}${symbol}${signature}`;
}
