import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readImageBase } from '../../src/sandbox/docker-base.js';
import { connectDocker } from '../../src/sandbox/docker-daemon.js';
import { stopLocalStack } from '../../src/workers/local-stack.js';
import { buildCli, startCli } from '../support/built-cli.js';
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.js';
import { scriptedRun } from '../support/scripted-optimizer.js';
import { ownerOf, repositoryImage } from './containers.js';

const BUILD_MS = 600_000;
const ID = 'acme__slugs-7';
const QUOTE = 'Blanks around a text leave no trace in its slug.';
const TELLING = 'def test_blanks_around(self):\n    self.assertEqual(slug(" A b "), "a-b")\n';
const FILES = {
  'slugs.py': 'def slug(text):\n    return text.lower()\n',
  'tests/__init__.py': '',
  'tests/test_slugs.py':
    'import unittest\n\nfrom slugs import slug\n\n\nclass TestSlug(unittest.TestCase):\n    def test_word(self):\n        self.assertEqual(slug("Word"), "word")\n',
};
/** What fixes the issue lies in the image's repository, after the base commit. */
const AFTER = `git checkout -q -b fix && echo solution > solution.py && git add solution.py && git commit -q -m fix && git checkout -q main`;
let dir = '';
let home = '';
let image = '';
let model: ScriptedModel;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'testgrad-bench-docker-'));
  home = join(dir, 'home');
  image = await repositoryImage({ name: 'bench', files: FILES, after: AFTER });
  const operation = { op: 'create', file: 'tests/test_slugs.py', className: 'TestSlug', source: TELLING } as const;
  const updates = [[{ ...operation, name: 'test_blanks_around' }]];
  model = await startScriptedModel({ script: scriptedRun({ updates, quote: QUOTE }) });
  await buildCli();
}, BUILD_MS);
afterAll(async () => {
  await stopLocalStack({ home, workerGraceMs: 5_000 });
  await model?.close();
  await (await connectDocker()).getImage(image).remove({ force: true });
  await rm(dir, { recursive: true, force: true });
}, 60_000);

const patch = (line: string): string =>
  `--- a/slugs.py\n+++ b/slugs.py\n@@ -1,2 +1,2 @@\n def slug(text):\n-    return text.lower()\n+    return ${line}\n`;

async function put(name: string, value: unknown): Promise<string> {
  await writeFile(join(dir, name), `${JSON.stringify(value)}\n`);
  return join(dir, name);
}

it('a benchmark runs in the image that a row names, which hides what came after the base', {
  timeout: BUILD_MS,
}, async () => {
  const { head, hidden } = await readImageBase({ image, mountAt: '/testbed', owner: ownerOf('bench') });
  expect(hidden).toContain('1 commits');
  const dataset = await put('dataset.jsonl', {
    instance_id: ID,
    repo: 'acme/slugs',
    base_commit: head,
    problem_statement: `# Blanks\n\n${QUOTE}\n`,
    docker_image: image,
    test_cmds: ['python -m unittest'],
  });
  const agents = { wrong: 'text.lower().replace(" ", "-")', right: 'text.strip().lower().replace(" ", "-")' };
  const predictions = await Promise.all(
    Object.entries(agents).map(
      async ([agent, line]) =>
        `${agent}=${await put(`${agent}.jsonl`, { instance_id: ID, model_name_or_path: agent, model_patch: patch(line) })}`,
    ),
  );
  const bench = await startCli({
    args: [
      ...['bench', '--dataset', dataset, ...predictions.flatMap((given) => ['--preds', given])],
      ...['--methods', 'testgrad', '--candidates', '2', '--model', 'scripted', '--write', join(dir, 'out')],
    ],
    home,
    env: {
      DOCKER_HOST: process.env.DOCKER_HOST ?? '',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'sk-none',
      TEMPORAL_CLI_PATH: process.env.TEMPORAL_CLI_PATH ?? '',
    },
  }).end;
  expect(bench.exitCode, bench.stderr).toBe(0);
  const chosen = JSON.parse(await readFile(join(dir, 'out', 'preds.jsonl'), 'utf8'));
  expect(chosen).toMatchObject({ instance_id: ID, model_patch: patch(agents.right) });
  const docker = await connectDocker();
  const left = await docker.listContainers({ all: true, filters: { label: ['testgrad.owner'] } });
  expect(left.filter(({ Labels: labels }) => labels['testgrad.run']?.includes(ID))).toEqual([]);
});
