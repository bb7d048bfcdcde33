import { describe, expect, it } from 'vitest';
import { optimizerToolNames, optimizerTools, parseToolCall } from '../../../src/methods/testgrad/optimizer-tools.js';

const all = optimizerToolNames({ showCandidates: true, mayDeclareEqual: true });
const parse = (name: string, given: unknown, allowed = all) =>
  parseToolCall({ name, argumentsText: typeof given === 'string' ? given : JSON.stringify(given), allowed });

const update = {
  diagnosis: 'All pass.',
  failedDirection: '',
  reuse: [{ aspect: 'helper', symbol: 'CacheTestMixin', file: 'tests/__init__.py' }],
  operations: [
    { op: 'create', file: 'tests/test_lru.py', name: 'test_a', source: 'def test_a():\n    assert True\n' },
    {
      op: 'update',
      file: 'tests/test_lru.py',
      test: 'LRU::test_b',
      source: 'def test_b(self): ...',
      staleBecause: 'the issue',
    },
    { op: 'delete', file: 'tests/test_lru.py', test: 'test_c', obsoleteBecause: '"never more"' },
  ],
};

describe('tools on offer', () => {
  it('are reading and submitting, the rest where allowed', () => {
    expect(optimizerToolNames({ showCandidates: false, mayDeclareEqual: false })).toEqual([
      'list_files',
      'read_file',
      'search',
      'show_test',
      'submit_update',
    ]);
    expect(all).toContain('show_candidate');
    expect(optimizerToolNames({ showCandidates: true, mayDeclareEqual: true, mustSubmit: true })).toEqual([
      'submit_update',
      'declare_equal',
    ]);
  });

  it('have object schemas that endpoints understand', () => {
    const tools = optimizerTools(all);
    for (const { parameters, description } of tools) {
      expect(parameters).toMatchObject({ type: 'object' });
      expect(JSON.stringify(parameters)).not.toMatch(/\$schema|\$ref|oneOf/);
      expect(description.length).toBeGreaterThan(20);
    }
    const submit = tools.find(({ name }) => name === 'submit_update');
    expect(submit?.parameters).toMatchObject({
      required: ['diagnosis', 'failedDirection', 'reuse', 'operations'],
      properties: { operations: { minItems: 1, maxItems: 20, items: { anyOf: [{}, {}, {}] } } },
    });
  });
});

describe('a call', () => {
  it('comes as an edit exactly as the core knows it', () => {
    expect(parse('submit_update', update)).toEqual({ kind: 'call', name: 'submit_update', arguments: update });
  });

  it.each([
    ['JSON inside a string', JSON.stringify(JSON.stringify(update))],
    [
      'lists as strings of JSON',
      { ...update, operations: JSON.stringify(update.operations), reuse: JSON.stringify(update.reuse) },
    ],
    [
      'null for what is optional',
      {
        ...update,
        operations: [{ ...update.operations[0], className: null, imports: null }, ...update.operations.slice(1)],
      },
    ],
    ['keys that nobody asked for', { ...update, confidence: 0.9 }],
  ])('is taken with %s', (_what, given) => {
    expect(parse('submit_update', given)).toEqual({ kind: 'call', name: 'submit_update', arguments: update });
  });

  it('may leave out what there is not at first: a failed direction and things to reuse', () => {
    const { failedDirection, reuse, ...rest } = update;
    expect(parse('submit_update', rest)).toMatchObject({ kind: 'call', arguments: { failedDirection: '', reuse: [] } });
  });

  it('keeps a source that looks like JSON as it is', () => {
    const source = '{"a": 1}';
    const given = { ...update, operations: [{ op: 'create', file: 'tests/t.py', name: 'x', source }] };
    expect(parse('submit_update', given)).toMatchObject({ arguments: { operations: [{ source }] } });
  });

  it('is refused when it is nested beyond all sense, inside a string too', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    for (const given of [`{"diagnosis": ${deep}}`, { ...update, reuse: deep }]) {
      expect(parse('submit_update', given).kind).toBe('invalid');
    }
  });

  it('may have no arguments where none is needed', () => {
    expect(parse('list_files', '')).toEqual({ kind: 'call', name: 'list_files', arguments: {} });
  });

  it.each([
    ['submit_update', '{"diagnosis": "x", ', /not a JSON object/],
    ['submit_update', '[1]', /not a JSON object/],
    ['submit_update', { ...update, operations: [] }, /operations: .*>=1/],
    ['submit_update', { ...update, operations: Array(21).fill(update.operations[0]) }, /operations: .*<=20/],
    [
      'submit_update',
      { ...update, operations: [{ op: 'rename', file: 'x' }] },
      /operations\[0\]\.op: .*'create' \| 'update' \| 'delete'/,
    ],
    [
      'submit_update',
      { ...update, operations: [{ ...update.operations[1], staleBecause: undefined }] },
      /operations\[0\]\.staleBecause/,
    ],
    ['submit_update', { ...update, reuse: [{ aspect: 'vibe', symbol: 'x', file: 'y' }] }, /reuse\[0\]\.aspect/],
    ['read_file', { path: 'a.py', start: 0 }, /start/],
    ['read_file', {}, /path/],
    ['declare_equal', { reason: '' }, /reason/],
  ])('%s with %j is refused with a reason', (name, given, reason) => {
    const parsed = parse(name, given);
    expect(parsed).toMatchObject({ kind: 'invalid', reason: expect.stringMatching(reason) });
  });

  it('of a tool that is not on offer names those that are', () => {
    expect(parse('show_candidate', { label: 'A' }, ['submit_update'])).toEqual({
      kind: 'invalid',
      reason: 'There is no tool "show_candidate" now. On offer: submit_update.',
    });
    expect(parse('toString', {})).toMatchObject({ kind: 'invalid' });
  });
});
