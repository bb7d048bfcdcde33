import { describe, expect, it } from 'vitest';
import { issueClues } from '../../src/source/issue-clues.js';

const paths = [
  'tests/filtered_relation/tests.py',
  'tests/bulk_create/tests.py',
  'tests/test_build_linkcheck.py',
  'tests/test_build_html.py',
  'tests/test_build_latex.py',
  'pkg/tests/test_lambdify.py',
  'pkg/tests/test_misc.py',
];
const called = (issue: string): string[] => {
  const { topics } = issueClues({ issue, paths });
  return [...topics].sort(([, a], [, b]) => b - a).map(([path]) => path);
};

describe('issueClues', () => {
  it.each([
    ['FilteredRelation on a nullable field', 'tests/filtered_relation/tests.py'],
    ['`bulk_create()` sets no key', 'tests/bulk_create/tests.py'],
    ['the linkcheck builder ignores it', 'tests/test_build_linkcheck.py'],
    ['lambdify() fails', 'pkg/tests/test_lambdify.py'],
  ])('finds the tests that are called after %j', (issue, path) => {
    expect(called(issue)).toEqual([path]);
  });

  it('a word that many names have says nothing by itself', () => {
    expect(called('The build stops.')).toEqual([]);
  });

  it('a name that is written as code counts more than a word of the prose', () => {
    const scoreOf = (issue: string) => issueClues({ issue, paths }).topics.get('pkg/tests/test_lambdify.py') ?? 0;
    expect(scoreOf('`lambdify` is slow')).toBeGreaterThan(scoreOf('to lambdify is slow'));
  });

  it('an issue without words points nowhere', () => {
    expect(called('')).toEqual([]);
  });
});
