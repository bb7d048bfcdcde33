import { expect, test } from 'vitest';
import { closeNames } from '../../src/cli/close-names.js';
import { renderTable } from '../../src/report/benchmark-render.js';
import { type InstanceMethod, methodsTable, renderInstanceMethod } from '../../src/report/terminal-instance.js';

const ended = (change: Partial<InstanceMethod>): InstanceMethod => ({
  ...{ method: 'testgrad', n: 4, item: 'a801d78a56e9', decidedBy: 'created-test', selected: 'atlas' },
  ...{ result: 'resolved', steps: 1, tokens: 13_600, reason: 'It passes.', error: null, ...change },
});

test('neighbours that ended alike are one line, and numbers of agents that were left out are not claimed', () => {
  const table = methodsTable({
    methods: [
      ...[8, 4, 2].map((n) => ended({ n })),
      ...[3, 2].map((n) => ended({ n, method: 'augment', decidedBy: 'judge' })),
      ended({ n: 1, method: 'augment', decidedBy: 'single-candidate' }),
      ended({ n: 1, method: 'trae', decidedBy: null, selected: null, result: null }),
    ],
    instance: 'o__r-1',
    command: 'testgrad show 7f3k/o__r-1/METHOD.nN',
  });
  const lines = renderTable({ table, columns: 80, colour: false });
  expect(
    lines.slice(2, -1).map((line) =>
      line
        .trim()
        .split(/\s{2,}/)
        .slice(0, 3),
    ),
  ).toEqual([
    ['testgrad', '2, 4, 8', 'created-test'],
    ['augment', '2-3', 'judge'],
    ['augment', '1', 'single-candidate'],
    ['trae', '1', 'not ended'],
  ]);
});

test('a method that has not ended, ended with an error, or selected nobody says so, without control characters', () => {
  const shown = (change: Partial<InstanceMethod>): string =>
    renderInstanceMethod({ own: ended(change), instance: 'o__r-1', run: '7f3k', columns: 80, colour: false });
  expect(shown({ decidedBy: null })).toBe(' testgrad with 4 agents on o__r-1 has not ended yet.\n');
  const failed = shown({ decidedBy: 'error', error: { code: 'TG-M06', message: 'refused\u001b[31m\nhere' } });
  expect(failed).toMatch(/TG-M06 refused.*here\n {3}Run it again: testgrad retry 7f3k\n$/);
  expect(failed).not.toContain('\u001b');
  expect(shown({ decidedBy: 'nothing', selected: null, result: null })).toMatch(/^ No one was selected\n/);
});

test('names that someone may have meant hold what was typed, else they are a slip away', () => {
  const known = ['django__django-1', 'django__django-12', 'sympy__sympy-3', 'augment'];
  expect(closeNames({ name: 'sympy', known })).toEqual(['sympy__sympy-3']);
  expect(closeNames({ name: 'augmnet', known })).toEqual(['augment']);
  expect(closeNames({ name: 'x', known })).toEqual([]);
});
