import { afterEach, beforeEach, expect, test } from 'vitest';
import { predictionSources } from '../../../src/swebench/predictions/prediction-sources.js';
import { refuseUnclean } from '../../../src/swebench/predictions/refuse-unclean.js';
import { datasetOf, diff, inputsBench, jsonl, row } from './workbench.js';

let bench: Awaited<ReturnType<typeof inputsBench>>;

beforeEach(async () => {
  bench = await inputsBench();
});

afterEach(() => bench.remove());

const dataset = datasetOf('acme__slug-1', 'acme__slug-2', 'acme__slug-3');

test('sources of every layout give one candidate an agent, in the order given', async () => {
  await bench.write('lines.jsonl', jsonl([row('acme__slug-2', diff('l2')), row('acme__slug-1', diff('l1'))]));
  await bench.write('list.json', [row('acme__slug-1', diff('j1'))]);
  await bench.write('by-id.json', {
    'acme__slug-1': { model_name_or_path: 'm', instance_id: 'acme__slug-1', model_patch: diff('k1') },
    'acme__slug-2': { model_patch: diff('k2') },
  });
  await bench.write('20250101_agent/all_preds.jsonl', jsonl([row('acme__slug-1', diff('s1'))]));
  await bench.write('20250101_agent/results/results.json', { resolved: ['acme__slug-1'] });
  await bench.write('diffs/acme__slug-1.diff', diff('d1'));
  await bench.write('diffs/acme__slug-2.patch', diff('d2'));
  await bench.write('diffs/acme__slug-3/patch.diff', diff('d3'));
  const read = await bench.collect(['x=lines.jsonl', 'list.json', 'b=by-id.json', '20250101_agent', 'diffs'], dataset);
  expect(read.agents).toEqual(['x', 'list', 'b', '20250101_agent', 'diffs']);
  expect(read.instances.map(({ instanceId }) => instanceId)).toEqual(dataset.ids);
  expect(bench.texts(read, 'acme__slug-1')).toEqual(['l1', 'j1', 'k1', 's1', 'd1'].map(diff));
  expect(bench.texts(read, 'acme__slug-2')).toEqual([diff('l2'), null, diff('k2'), null, diff('d2')]);
  expect(bench.texts(read, 'acme__slug-3')).toEqual([null, null, null, null, diff('d3')]);
  expect(read.report.sources.map(({ layout }) => layout)).toEqual(['rows', 'rows', 'rows', 'submission', 'diffs']);
  expect(read.report.instances).toEqual({ chosen: 3, complete: 1, partial: 2, none: [], identical: 0 });
});

test('files of several candidates give as many agents, and nothing of what is known about them', async () => {
  await bench.write(
    'augment.jsonl',
    jsonl([
      {
        id: 'acme__slug-1',
        instruction: 'issue',
        diffs: [diff('a'), '', diff('c')],
        eval_outcomes: [{ is_success: true }, { is_success: false }, { is_success: false }],
      },
    ]),
  );
  await bench.write(
    'trae.jsonl',
    jsonl([
      { instance_id: 'acme__slug-1', issue: 'x', patches: [diff('t'), diff('t')], success_id: [1, 0], regressions: [] },
      { instance_id: 'acme__slug-2', issue: 'x', patches: [diff('u')], success_id: [0] },
    ]),
  );
  const read = await bench.collect(['augment.jsonl', 'trae.jsonl'], dataset);
  expect(read.agents).toEqual(['augment-1', 'augment-2', 'augment-3', 'trae-1', 'trae-2']);
  expect(bench.texts(read, 'acme__slug-1')).toEqual([diff('a'), '', diff('c'), diff('t'), diff('t')]);
  expect(bench.texts(read, 'acme__slug-2')).toEqual([null, null, null, diff('u'), null]);
  expect(JSON.stringify(read)).not.toMatch(/success|resolved|true,|eval_outcomes/);
});

test('patches keep their carriage returns and bytes', async () => {
  await bench.write('a.jsonl', jsonl([row('acme__slug-1', diff('x\r'))]));
  await bench.write('d/acme__slug-1.diff', Buffer.from(diff('caf\xe9\r'), 'latin1'));
  const read = await bench.collect(['a.jsonl', 'd'], dataset);
  expect(bench.texts(read, 'acme__slug-1')).toEqual([diff('x\r'), diff('caf\xe9\r')]);
});

test('all that is wrong is counted and listed', async () => {
  const lines = [
    row('acme__slug-1', 'first'),
    row('acme__slug-1', `Here:\n${diff('second')}`),
    row('ACME__slug-2', diff('x')),
    row('other__repo-9', diff('x')),
    row('acme__slug-3', null),
    { instance_id: 'acme__slug-2', patch: 'wrong key' },
    { instance_id: 'acme__slug-2', model_patch: 7 },
  ];
  await bench.write('a.jsonl', `${jsonl(lines)}{"instance_id": "acme__slug-2", "model_pa`);
  const read = await bench.collect(['a.jsonl'], dataset);
  expect(bench.texts(read, 'acme__slug-1')).toEqual([`Here:\n${diff('second')}`]);
  const [source] = read.report.sources;
  expect(source).toMatchObject({
    malformed: [
      { place: 'line 7', problem: 'the patch of acme__slug-2 is not text' },
      { place: 'line 8', problem: expect.stringContaining('not JSON') },
    ],
    otherFields: [{ place: 'line 6', fields: ['instance_id', 'patch'] }],
    unknown: [
      { instanceId: 'ACME__slug-2', closest: 'acme__slug-2' },
      { instanceId: 'other__repo-9', closest: null },
    ],
  });
  expect(source?.agents).toEqual([
    {
      agent: 'a',
      patches: 1,
      missing: ['acme__slug-2'],
      empty: ['acme__slug-3'],
      duplicates: [{ instanceId: 'acme__slug-1', places: ['line 1', 'line 2'], same: false }],
      fenced: [],
      prose: ['acme__slug-1'],
      noDiff: [],
    },
  ]);
  expect(read.report.instances.none).toEqual(['acme__slug-2', 'acme__slug-3']);
  expect(read.report.clean).toBe(false);
  expect(() => refuseUnclean(read.report)).toThrow(
    expect.objectContaining({ code: 'TG-I06', what: expect.stringMatching(/a\.jsonl: 2 unreadable.*5 more findings/) }),
  );
});

test.each([
  ['TG-I08', [row('acme__slug-1', diff('a')), row('acme__slug-1', diff('a'))]],
  ['TG-I09', [row('acme__slug-1', diff('a')), row('acme__slug-9', diff('a'))]],
  ['TG-I20', [row('acme__slug-1', `\`\`\`\n${diff('a')}\`\`\``)]],
  ['TG-I10', [row('acme__slug-1', '')]],
])('strict stops with %s, and a clean input passes', async (code, rows) => {
  await bench.write('bad.jsonl', jsonl(rows));
  await bench.write('good.jsonl', jsonl([row('acme__slug-1', diff('a'))]));
  const one = datasetOf('acme__slug-1');
  const bad = await bench.collect(['bad.jsonl'], one);
  expect(() => refuseUnclean(bad.report)).toThrow(expect.objectContaining({ code }));
  const good = await bench.collect(['good.jsonl'], one);
  expect(good.report.clean).toBe(true);
  expect(() => refuseUnclean(good.report)).not.toThrow();
});

test('only chosen instances count; predictions for the others are not missing and not unknown', async () => {
  await bench.write('a.jsonl', jsonl([row('acme__slug-1', diff('a')), row('acme__slug-3', diff('b'))]));
  const read = await bench.collect(['a.jsonl'], dataset, ['acme__slug-3']);
  expect(read.report.sources[0]).toMatchObject({ notChosen: 1, unknown: [], agents: [{ patches: 1, missing: [] }] });
  expect(read.report.clean).toBe(true);
});

test('equal patches are counted', async () => {
  await bench.write('a.jsonl', jsonl([row('acme__slug-1', diff('a')), row('acme__slug-2', diff('a'))]));
  await bench.write('b.jsonl', jsonl([row('acme__slug-1', diff('a')), row('acme__slug-2', diff('b'))]));
  expect((await bench.collect(['a.jsonl', 'b.jsonl'], dataset)).report.instances.identical).toBe(1);
});

test.each([
  ['TG-I03', 'absent.jsonl', null],
  ['TG-I03', 'folder', { 'folder/readme.txt': 'x' }],
  ['TG-I06', 'empty.jsonl', { 'empty.jsonl': '' }],
  ['TG-I06', 'cut.json', { 'cut.json': '[{"instance_id": "acme__slug-1"' }],
  ['TG-I06', 'page.json', { 'page.json': '<html>' }],
  ['TG-I07', 'rows.jsonl', { 'rows.jsonl': '{"instance_id": "acme__slug-1", "patch": "x"}\n' }],
  ['TG-I09', 'else.jsonl', { 'else.jsonl': jsonl([row('else__where-1', diff('a'))]) }],
])('%s for a source that cannot be used: %s', async (code, given, files) => {
  for (const [name, content] of Object.entries(files ?? {})) await bench.write(name, content);
  await expect(bench.collect([given], dataset)).rejects.toMatchObject({ code });
});

test('names: given, of the file, or of the folder that holds all_preds.jsonl', () => {
  const names = (...given: string[]) => predictionSources({ given, cwd: '/w' }).map(({ name }) => name);
  expect(
    names('sonar=a/b.jsonl', 'c/trae.json', 'x/20240101_y/all_preds.jsonl', 'z/preds.json', 'p/q=r.jsonl'),
  ).toEqual(['sonar', 'trae', '20240101_y', 'z', 'q=r']);
  expect(() => names()).toThrow(expect.objectContaining({ code: 'TG-I00' }));
  expect(() => names('a=x.jsonl', 'a=y.jsonl')).toThrow(expect.objectContaining({ code: 'TG-I14' }));
});
