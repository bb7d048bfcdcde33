import { expect, test } from 'vitest';
import type { Decision } from '../../src/core/decision.js';
import type { Suite } from '../../src/core/suite.js';
import { MAX_REPORT_LINES, renderMarkdown } from '../../src/report/markdown-report.js';
import { buildReport } from '../../src/report/report-model.js';
import { decision, ISSUE_SENTENCE, MATRIX, NEW_TEST, row, SUITE, step, TEST_SOURCE } from './fixture.js';

const render = ({
  of = decision(),
  matrix = MATRIX,
  suite = SUITE,
}: {
  of?: Decision;
  matrix?: typeof MATRIX | null;
  suite?: Suite | null;
} = {}): string => renderMarkdown(buildReport({ decision: of, matrix, suite }));

test('a report names the winner first, then why, the quoted sentence, the matrix and the test', async () => {
  const text = render();
  const order = ['TestGRAD: codex', '**Why.**', ISSUE_SENTENCE, '| test |', TEST_SOURCE.split('\n')[0], '| step |'];
  const places = order.map((part) => text.indexOf(part ?? ''));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((left, right) => left - right));
  await expect(text).toMatchFileSnapshot('golden/report.md');
});

test('the longest run still gives a report of sixty lines', () => {
  const long = TEST_SOURCE + Array.from({ length: 200 }, (_, index) => `\n    assert value == ${index}`).join('');
  const text = render({
    of: decision({
      steps: Array.from({ length: 21 }, (_, index) =>
        step({ step: index, operations: ['create a::b', 'create a::c'] }),
      ),
      warnings: Array.from({ length: 30 }, (_, index) => `warning ${index}`),
      decidingTests: Array.from({ length: 12 }, () => ({
        testId: NEW_TEST,
        origin: 'created' as const,
        step: 2,
        class: 'issue' as const,
        quote: ISSUE_SENTENCE,
      })),
    }),
    matrix: {
      ...MATRIX,
      rows: [
        ...MATRIX.rows,
        ...Array.from({ length: 40 }, (_, index) => row({ testId: `t.py::t${index}`, statuses: ['passed', 'failed'] })),
      ],
    },
    suite: { ...SUITE, changed: SUITE.changed.map((test) => ({ ...test, source: long })) },
  });
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_REPORT_LINES);
  expect(text).toContain('more lines');
});

test('the deciding test is folded into the report also when it stands in a class that others inherit from', () => {
  const source = ['def test_shared(self):', ...Array.from({ length: 30 }, (_, at) => `    self.check(${at})`)].join(
    '\n',
  );
  const mixin = {
    op: 'create',
    file: 'tests/__init__.py',
    name: 'Mixin::test_shared',
    source,
    step: 2,
    reason: '',
  } as const;
  const testId = 'tests/test_lru.py::LRUTest::test_shared';
  const of = decision({
    decidingTests: [{ testId, origin: 'created', step: 2, class: 'issue', quote: ISSUE_SENTENCE }],
    steps: Array.from({ length: 12 }, (_, index) => step({ step: index, operations: ['create a::b'] })),
  });
  const text = render({ of, suite: { ...SUITE, changed: [mixin] } });
  expect(text).toContain('<details><summary>The deciding test</summary>');
  expect(text).toContain('    self.check(13)');
  expect(text).toMatch(/How the tests evolved, the last \d of 12 steps/);
  expect(text.trimEnd().split('\n')).toHaveLength(MAX_REPORT_LINES);

  // Of two with its name nobody can tell which one ran.
  const other = { ...mixin, name: 'Other::test_shared' };
  expect(render({ of, suite: { ...SUITE, changed: [mixin, other] } })).not.toContain('The deciding test');
});

test('many deciding tests are counted where they do not fit', () => {
  const ids = Array.from({ length: 50 }, (_, index) => `t.py::t${index}`);
  const text = render({
    of: decision({
      decidingTests: ids.map((testId) => ({ testId, origin: 'original', step: 0, class: 'regression', quote: '' })),
    }),
    matrix: { ...MATRIX, rows: ids.map((testId) => row({ testId, statuses: ['failed', 'passed'] })) },
  });
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_REPORT_LINES);
  expect(text).toContain('- and 47 more in decision.json');
  expect(text).toContain('x = fails, - = not run. 42 more rows are in matrix.json.');
});

test('model text is inert in Markdown', () => {
  const evil =
    '</details><script>alert(1)</script> [link](http://evil.example) @everyone closes #12 ![x](y) | `a`\n# head';
  const text = render({
    of: decision({ reason: evil, warnings: [evil], instance: evil }),
    suite: { ...SUITE, changed: SUITE.changed.map((test) => ({ ...test, source: '```\n</details>\n````' })) },
  });
  expect(text).not.toContain('<script>');
  expect(text).not.toMatch(/@everyone|#12|(?<!\\)\]\(|^# head/m);
  expect(text).toContain('`````python\n```\n</details>\n````\n`````');
});

test('a table row keeps its number of cells whatever the test is called', () => {
  const testId = 't.py::test[a|b`c|d]';
  const text = render({
    matrix: { ...MATRIX, rows: [row({ testId, statuses: ['passed', 'failed', 'passed', 'passed'] })] },
  });
  const line = text.split('\n').find((each) => each.includes('t.py::test')) ?? '';
  expect(line.split(/(?<!\\)\|/)).toHaveLength(8);
});
