import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EvaluationInstance } from '../../../src/swebench/instance.js';
import { PROJECTS, projectSpec, versionsOf } from '../../../src/swebench/projects.js';
import { evalScript } from '../../../src/swebench/scripts/eval-script.js';
import { IMAGE_LAYOUT } from '../../../src/swebench/scripts/place.js';
import { patchedFiles, testDirectives } from '../../../src/swebench/scripts/test-patch.js';
import { askHarness, harnesses } from '../support/harness.js';

interface Row {
  readonly repo: string;
  readonly version: string;
  readonly base_commit: string;
  readonly test_patch: string;
}

const change = (path: string): string =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\r\n+é 'x' $HOME\n`;
const addition = (path: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\nindex 0..2\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+a\n`;
const deletion = (path: string): string =>
  `diff --git a/${path} b/${path}\ndeleted file mode 100644\nindex 1..0\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n`;
const rename = (from: string, to: string): string =>
  `diff --git a/${from} b/${to}\nsimilarity index 90%\nrename from ${from}\nrename to ${to}\n--- a/${from}\n+++ b/${to}\n@@ -1 +1 @@\n-a\n+b\n`;

const PATCHES = [
  change('tests/a/tests.py'),
  change('tests/a/tests.py') + change('tests/a/models.py') + change('tests/a/data.json') + change('docs/x.txt'),
  change('lib/t.py') + addition('lib/new.py'),
  addition('tests/only/new.py'),
  change('testing/test_a.py') + deletion('testing/test_b.py'),
  rename('tests/old.py', 'tests/new.py'),
  change('tests/data.csv') + change('tests/x.toml') + change('tests/settings.PY'),
];

async function rows(): Promise<readonly Row[]> {
  const made = PROJECTS.flatMap((repo) =>
    PATCHES.map((test_patch, index) => {
      const versions = versionsOf(repo);
      return { repo, version: versions[index % versions.length] ?? '', base_commit: 'abc123', test_patch };
    }),
  );
  const data = process.env.TESTGRAD_SWEBENCH_DATA;
  if (data === undefined) return made;
  const text = await readFile(join(data, 'instances.jsonl'), 'utf8');
  const real = text.split('\n').filter((line) => line !== '');
  return [...made, ...real.map((line) => JSON.parse(line) as Row).filter((row) => projectSpec(row) !== null)];
}

const instanceOf = (row: Row): EvaluationInstance => ({
  instanceId: 'x__x-1',
  repo: row.repo,
  baseCommit: row.base_commit,
  version: row.version,
  testPatch: row.test_patch,
  expected: { failToPass: [], passToPass: [] },
  evalScript: null,
  logParser: null,
  evalType: 'pass_and_fail',
  image: null,
});

const found = await harnesses();

describe.skipIf(found.kind === 'missing')('the official harness and this one', () => {
  const python = (rules: 'v4' | 'v5'): string => (found.kind === 'ready' ? found[rules] : '');

  test('know the same set-up of every version of the twelve projects', async () => {
    const [theirs] = await askHarness({ python: python('v4'), jobs: [{ job: 'projects', repos: PROJECTS }] });
    expect(PROJECTS).toHaveLength(12);
    const ours = Object.fromEntries(
      PROJECTS.map((repo) => [
        repo,
        Object.fromEntries(
          versionsOf(repo).map((version) => {
            const spec = projectSpec({ repo, version });
            const before = spec?.before.length === 0 ? {} : { eval_commands: spec?.before };
            return [version, { test_cmd: spec?.testCommand, python: spec?.python, install: spec?.install, ...before }];
          }),
        ),
      ]),
    );
    expect(ours).toEqual(theirs);
  });

  test('make the same scripts, directives and lists of changed files', async () => {
    const all = await rows();
    const answers = await askHarness({ python: python('v4'), jobs: all.map((row) => ({ job: 'script', row })) });
    for (const [index, row] of all.entries()) {
      const theirs = answers[index];
      const { modified, added } = patchedFiles(row.test_patch);
      expect(testDirectives({ repo: row.repo, testPatch: row.test_patch })).toEqual(theirs?.directives);
      expect(modified).toEqual(theirs?.modified);
      const ours = evalScript({
        instance: instanceOf(row),
        spec: projectSpec(row),
        rules: 'v4',
        layout: IMAGE_LAYOUT,
      });
      // Ours also removes what the tests add; with nothing but new files 4.1 would reset the whole tree.
      const removal = added.length === 0 ? '' : `rm -f ${added.join(' ')}\n`;
      const reset = modified.length === 0 ? `git checkout ${row.base_commit} \n` : '';
      const expected = String(theirs?.script);
      expect(removal === '' ? ours : ours?.replaceAll(removal, reset)).toBe(expected);
    }
  });

  test('record the exit code of the tests in a row’s own script alike', async () => {
    const script =
      "#!/bin/bash\nset -uxo pipefail\ncd /testbed\n: '>>>>> Start Test Output'\npytest\n: '>>>>> End Test Output'\ngit checkout x\n";
    const own = {
      instance_id: 'x',
      image: 'i',
      repo: 'a/b',
      version: '1',
      log_parser: 'p',
      eval_type: 'pass_and_fail',
    };
    for (const eval_script of [script, 'pytest\n', `${script}\n\n`]) {
      const row = { ...own, FAIL_TO_PASS: '[]', PASS_TO_PASS: '[]', eval_script };
      const [theirs] = await askHarness({ python: python('v5'), jobs: [{ job: 'script', row }] });
      const instance = {
        ...instanceOf({ repo: 'a/b', version: '1', base_commit: 'x', test_patch: '' }),
        evalScript: eval_script,
      };
      expect(evalScript({ instance, spec: null, rules: 'v5', layout: IMAGE_LAYOUT })).toBe(theirs?.script);
    }
  });
});

test('a patch that has the end mark of the here-document is still brought in whole', () => {
  const test_patch = `${change('a.py')}EOF_114329324912\n`;
  const instance = instanceOf({ repo: 'pallets/flask', version: '2.3', base_commit: 'b', test_patch });
  const script = evalScript({
    instance,
    spec: projectSpec({ repo: 'pallets/flask', version: '2.3' }),
    rules: 'v4',
    layout: IMAGE_LAYOUT,
  });
  expect(script).toContain(`<<'EOF_1143293249120'\n${test_patch}\nEOF_1143293249120\n`);
});
