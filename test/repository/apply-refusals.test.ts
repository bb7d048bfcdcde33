import { describe, expect, test } from 'vitest';
import { listTree } from '../../src/repository/tree-files.js';
import { apply, applyUsable, patchOf, setUp, textIn, userGit } from './fixtures.js';

const TEN = [...Array(10).keys()].map((n) => `line ${n}\n`).join('');

describe('what cannot be used is excluded with the place and the words of git', () => {
  test('a hunk that does not fit: file, hunk, line of the patch, line of the file', async () => {
    const { dir, scratch } = await setUp({ 'src/a.py': TEN.repeat(3), 'src/b.py': 'b\n' });
    const text = TEN.repeat(3).split('\n');
    const changed = text.with(2, 'changed').with(25, 'changed').join('\n');
    const patch = (await patchOf(dir, { 'src/a.py': changed, 'src/b.py': 'B\n' })).toString();
    const spoiled = patch.replace('-line 5', '-line five');
    const line = spoiled.split('\n').findIndex((each) => each.startsWith('@@ -23')) + 1;
    const result = await apply(scratch, spoiled);
    expect(result).toMatchObject({ kind: 'excluded', reason: 'does-not-apply' });
    const detail = result.kind === 'excluded' ? result.detail : '';
    expect(detail).toContain(`src/a.py, hunk 2 (line ${line} of the patch) does not fit line 23 of the file`);
    expect(detail).toContain('git apply: patch failed: src/a.py:23');
  });

  let shared: ReturnType<typeof setUp> | undefined;
  test.each([
    ['a file that is not there', '--- a/none.py\n+++ b/none.py\n@@ -1 +1 @@\n-a\n+b\n', /none\.py: does not exist/],
    [
      'a new file that is there',
      'diff --git a/a.py b/a.py\nnew file mode 100644\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x\n',
      /a\.py: already exists/,
    ],
    [
      'context that differs in white space',
      '--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one \n-two\n+2\n',
      /patch failed: a\.py:1/,
    ],
    [
      'a file below a link',
      'diff --git a/link/x b/link/x\nnew file mode 100644\n--- /dev/null\n+++ b/link/x\n@@ -0,0 +1 @@\n+x\n',
      /link/,
    ],
  ])('%s', async (_, patch, detail) => {
    shared ??= setUp({ 'a.py': 'one\ntwo\n', link: { link: '/tmp' } });
    const result = await apply((await shared).scratch, patch);
    expect(result).toEqual({ kind: 'excluded', reason: 'does-not-apply', detail: expect.stringMatching(detail) });
  });

  test('a patch with one bad file applies nothing of the others', async () => {
    const { scratch } = await setUp({ 'a.py': 'a\n' });
    const good = '--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n';
    const bad = '--- a/none.py\n+++ b/none.py\n@@ -1 +1 @@\n-a\n+b\n';
    expect(await apply(scratch, good + bad)).toMatchObject({ kind: 'excluded', reason: 'does-not-apply' });
  });

  test('a patch that was cut off within its lines, but not one that only lost trailing blank lines', async () => {
    const { dir, scratch } = await setUp({ 'a.py': 'one\ntwo\n\n\nthree\n', 'b.py': 'one\ntwo\nthree\n' });
    const trimmed = (await patchOf(dir, { 'a.py': 'one\nTWO\n\n\nthree\n' }, '-U2')).toString().trimEnd();
    expect(trimmed.endsWith('+TWO')).toBe(true);
    const result = await applyUsable(scratch, trimmed);
    expect(await textIn(scratch, result.treeId, 'a.py')).toBe('one\nTWO\n\n\nthree\n');
    const patch = (await patchOf(dir, { 'b.py': 'one\nTWO\nthree\n' })).toString();
    const cut = patch.replace(' three\n', '');
    expect(await apply(scratch, cut)).toMatchObject({ kind: 'excluded', reason: 'does-not-apply' });
  });

  test('a hunk without context goes where its number says, never to the end of the file', async () => {
    const { dir, scratch } = await setUp({ 'a.py': 'x\ny\nx\ny\nx\n' });
    const patch = await patchOf(dir, { 'a.py': 'x\ny\nX\ny\nx\n' }, '-U0');
    const result = await applyUsable(scratch, patch);
    expect(await textIn(scratch, result.treeId, 'a.py')).toBe('x\ny\nX\ny\nx\n');
    const inserted = '--- a/a.py\n+++ b/a.py\n@@ -2,0 +3 @@\n+new\n';
    expect(await textIn(scratch, (await applyUsable(scratch, inserted)).treeId, 'a.py')).toBe('x\ny\nnew\nx\ny\nx\n');
  });

  test('a hunk for the first lines of a file is not moved because another one has no context', async () => {
    const { dir } = await setUp({ 'a.py': 'one\ntwo\nthree\n', 'short.py': 's\n' });
    const patch = await patchOf(dir, { 'a.py': 'one\nTWO\nthree\n', 'short.py': 'S\n' });
    const later = await setUp({ 'a.py': 'zero\none\ntwo\nthree\n', 'short.py': 's\n' });
    expect(await apply(later.scratch, patch)).toMatchObject({ kind: 'excluded', reason: 'does-not-apply' });
  });

  test('no patch, and one that changes nothing', async () => {
    const { scratch } = await setUp({ 'a.py': 'a\n' });
    expect(await apply(scratch, '')).toMatchObject({ kind: 'excluded', reason: 'empty' });
    const nothing = '--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+a\n';
    expect(await apply(scratch, nothing)).toMatchObject({
      kind: 'excluded',
      reason: 'empty',
      detail: expect.stringMatching(/./),
    });
    expect(await apply(scratch, 'no diff')).toMatchObject({ kind: 'excluded', reason: 'malformed' });
  });

  test('binary changes without their data: left out with a note, or the reason when nothing else is left', async () => {
    const { dir, scratch } = await setUp({ 'a.py': 'a\n', 'x.bin': Buffer.from([0, 1]), 'y.bin': Buffer.from([0, 1]) });
    const bytes = Buffer.from([0, 2]);
    const both = await patchOf(dir, { 'a.py': 'b\n', 'x.bin': bytes, 'y.bin': null });
    expect(both.toString()).toContain('Binary files a/x.bin and b/x.bin differ');
    const result = await applyUsable(scratch, both);
    expect(result.changedFiles).toEqual(['a.py']);
    expect(result.notes).toEqual([expect.stringContaining('x.bin'), expect.stringContaining('y.bin')]);
    const only = await patchOf(dir, { 'x.bin': bytes });
    expect(await apply(scratch, only)).toMatchObject({
      kind: 'excluded',
      reason: 'binary-only',
      detail: expect.stringContaining('x.bin'),
    });
    const plain = 'Binary files old/x.bin and new/x.bin differ\n';
    expect(await apply(scratch, plain)).toMatchObject({ kind: 'excluded', reason: 'binary-only' });
  });

  test('applying leaves no file behind in the scratch repository but objects', async () => {
    const { dir, scratch } = await setUp({ 'a.py': 'a\n' });
    await applyUsable(scratch, await patchOf(dir, { 'a.py': 'b\n' }));
    expect(await userGit(scratch.gitDir, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/base');
    expect(await listTree({ scratch, treeId: scratch.treeId })).toHaveLength(1);
  });
});
