import { afterAll, beforeAll, expect, test } from 'vitest';
import { steerOf } from '../../src/activities/steer.js';
import type { FailedUpdate } from '../../src/core/failure-memory.js';
import { type ActivityBench, openActivityBench, prepared } from '../support/activity-bench.js';

const HELPERS = `import pytest

from other import unrelated
from slugs import slugify


@pytest.fixture
def make_text():
    return lambda words: " ".join(words)


def assert_whole_words(slug, text):
    assert slug in text


def test_helpers(make_text, tmp_path):
    assert_whole_words(slugify(make_text(["a"])), "a")
    assert unrelated
`;

let bench: ActivityBench;
beforeAll(async () => {
  bench = await openActivityBench({ files: { 'other.py': 'unrelated = 1\n', 'tests/test_helpers.py': HELPERS } });
});
afterAll(() => bench.remove());

const failed = (source: string): FailedUpdate => ({
  step: 1,
  kind: 'uniform',
  reason: '',
  direction: '',
  tests: [{ name: 'test_a', file: 'tests/test_slugs.py', source }],
  deleted: [],
});

test('steers to what the issue and the changes are about, then to the tests’ own tools, without what was used', async () => {
  const context = await bench.context();
  const { prepared: ref } = await prepared({ bench, context });
  const input = {
    ...context,
    ...({ step: 1, kind: 'uniform', reason: '', direction: '', suite: null, matrix: null, memory: [] } as const),
    prepared: ref,
  };
  const steer = (source: string) => steerOf({ services: bench.services, input, memory: [failed(source)] });
  const first = await steer('def test_a(): pass');
  expect(first.steer[0]).toBe('slugs.slugify');
  expect(first.steer).toEqual(expect.arrayContaining(['fixture make_text']));
  expect(first.steer.join()).toContain('assert_whole_words');
  expect(first.steer.join()).not.toMatch(/unrelated|tmp_path|parametrize/);
  expect(first.focus).toEqual(expect.arrayContaining(['max_length', 'slugify']));
  const later = await steer('def test_a(make_text):\n    assert slugify(make_text(["a"])) == "a"');
  expect(later.steer.join()).not.toMatch(/slugify|make_text/);
});
