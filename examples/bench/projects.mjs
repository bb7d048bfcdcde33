// The small benchmark's projects: files of each repository, its issues, and what each agent made of them.

const SLUGS = `"""Readable parts of addresses."""
import re


def slugify(text, max_length=None):
    """Lower-case words joined by hyphens, at most max_length characters."""
    slug = "-".join(re.findall(r"[a-z0-9]+", text.lower()))
    if max_length is not None:
        slug = slug[:max_length]
    return slug
`;
const cutting = (lines) => SLUGS.replace('        slug = slug[:max_length]\n', lines);

const SPANS = `"""Spans of time as pairs of start and end."""


def merge(spans):
    """Joins spans that overlap; the result is sorted by start."""
    merged = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return merged
`;
const joining = (test, join) => SPANS.replace('start < merged[-1][1]', test).replace('(merged[-1][0], end)', join);

const TOTALS = `"""Totals of orders, in cents."""


def total(prices, discount=0):
    """Sum of prices less a discount in percent, rounded to cents."""
    return int(sum(prices) * (100 - discount) / 100)


def shares(amount, people):
    """Splits an amount into equal shares."""
    return [amount // people] * people
`;
const ROUNDED = TOTALS.replace(
  'int(sum(prices) * (100 - discount) / 100)',
  'round(sum(prices) * (100 - discount) / 100)',
);

/** Repositories by name: files of the base commit. */
export const REPOSITORIES = {
  'acme/slugs': {
    'slugs.py': SLUGS,
    'tests/test_slugs.py': `import pytest

from slugs import slugify


class TestSlugify:
    def test_words(self):
        assert slugify("Hello, World") == "hello-world"

    @pytest.mark.parametrize("text", ["", "  ", "!?"])
    def test_nothing(self, text):
        assert slugify(text) == ""


def test_max_length():
    assert slugify("hello world", max_length=5) == "hello"
`,
  },
  'acme/spans': {
    'spans.py': SPANS,
    'tests/test_spans.py': `from spans import merge


def test_apart():
    assert merge([(4, 5), (1, 2)]) == [(1, 2), (4, 5)]


def test_overlap():
    assert merge([(1, 3), (2, 5)]) == [(1, 5)]


def test_none():
    assert merge([]) == []
`,
  },
  'acme/totals': {
    'totals.py': TOTALS,
    'tests/test_totals.py': `from totals import shares, total


def test_total():
    assert total([100, 250]) == 350


def test_shares():
    assert shares(90, 3) == [30, 30, 30]
`,
  },
};

/** Agents in the order that defines N. */
export const AGENTS = ['atlas', 'birch', 'cedar', 'delta'];

/**
 * Instances: `attempts` are the changed file by agent; null is an empty prediction, and an agent without a word has none.
 * `resolved` is known by reading; it is no part of a selection.
 */
export const INSTANCES = [
  {
    instance_id: 'acme__slugs-1',
    repo: 'acme/slugs',
    file: 'slugs.py',
    problem_statement: `slugify cuts words in half

\`slugify("hello world", max_length=8)\` gives \`hello-wo\`. A slug should never end in the middle of a word: whole words are dropped from the end until it fits. A single word that is longer than max_length is cut, as there is nothing else to do.
`,
    attempts: {
      atlas: cutting(`        if len(slug) > max_length and slug[max_length] != "-":
            slug = slug[:max_length].rpartition("-")[0]
        else:
            slug = slug[:max_length]
`),
      birch: cutting(`        words = slug.split("-")
        while len(words) > 1 and len("-".join(words)) > max_length:
            words.pop()
        slug = "-".join(words)[:max_length]
`),
      cedar: cutting(`        cut = slug[:max_length]
        if len(slug) > max_length and slug[max_length] != "-" and "-" in cut:
            cut = cut[: cut.rindex("-")]
        slug = cut.rstrip("-")
`),
    },
    resolved: ['birch', 'cedar'],
    test: 'def test_long_word():\n    assert slugify("incomprehensible", max_length=6) == "incomp"\n',
    testFile: 'tests/test_slugs.py',
  },
  {
    instance_id: 'acme__spans-1',
    repo: 'acme/spans',
    file: 'spans.py',
    problem_statement: `merge loses time

Spans that touch should be joined: \`merge([(1, 2), (2, 3)])\` should give \`[(1, 3)]\`. A span that lies within another must not shorten it: \`merge([(1, 9), (2, 3)])\` should give \`[(1, 9)]\`.
`,
    attempts: {
      atlas: joining('start <= merged[-1][1]', '(merged[-1][0], max(end, merged[-1][1]))'),
      birch: joining('start <= merged[-1][1]', '(merged[-1][0], end)'),
      cedar: joining('start <= merged[-1][1]', '[merged[-1][0], max(end, merged[-1][1])]').replace(
        'merged.append((start, end))',
        'merged.append([start, end])',
      ),
      delta: null,
    },
    resolved: ['atlas'],
    test: 'def test_span_within_another():\n    assert merge([(1, 9), (2, 3)]) == [(1, 9)]\n',
    testFile: 'tests/test_spans.py',
  },
  {
    instance_id: 'acme__totals-1',
    repo: 'acme/totals',
    file: 'totals.py',
    problem_statement: `total loses a cent

\`total([101], discount=50)\` should be rounded to the nearest cent, not cut off.
`,
    attempts: { atlas: ROUNDED, birch: ROUNDED, delta: ROUNDED },
    resolved: ['atlas', 'birch', 'delta'],
    test: 'def test_rounds():\n    assert total([199], discount=50) == 100\n',
    testFile: 'tests/test_totals.py',
  },
  {
    instance_id: 'acme__totals-2',
    repo: 'acme/totals',
    file: 'totals.py',
    problem_statement: `shares loses what cannot be split

The shares should add up to the amount: \`shares(100, 3)\` should give \`[34, 33, 33]\`.
`,
    attempts: { birch: TOTALS.replace('[amount // people] * people', '[amount / people] * people') },
    resolved: [],
    test: 'def test_adds_up():\n    assert shares(100, 3) == [34, 33, 33]\n',
    testFile: 'tests/test_totals.py',
  },
];
