import { describe, expect, test } from 'vitest';
import { listTree } from '../../src/repository/tree-files.js';
import { apply, applyUsable, type FileTree, newRepository, patchOf, setUp, textIn, userGit } from './fixtures.js';

const TEN = [...Array(10).keys()].map((n) => `line ${n}\n`).join('');

describe('a candidate becomes a tree', () => {
  test('with every kind of change a patch can hold', async () => {
    const { dir, scratch } = await setUp({
      'src/edited.py': TEN,
      'src/deleted.py': 'gone\n',
      'src/moved.py': TEN,
      'src/mode.sh': 'x\n',
      'src/data.bin': Buffer.from([0, 1, 2, 3]),
      'src/old link': { link: 'edited.py' },
      'src/no newline.py': 'a\nb',
      'ünï/"odd".py': 'x\n',
    });
    const changed: FileTree = {
      'src/edited.py': TEN.replace('line 4', 'LINE 4'),
      'src/deleted.py': null,
      'src/moved.py': null,
      'lib/moved.py': `${TEN}more\n`,
      'src/mode.sh': { executable: 'x\n' },
      'src/data.bin': Buffer.from([0, 9, 9, 9, 255]),
      'src/new.bin': Buffer.from([0, 200]),
      'src/old link': { link: '../elsewhere' },
      'src/no newline.py': 'a\nB',
      'ünï/"odd".py': 'y\n',
      'src/new/empty.py': '',
    };
    const patch = await patchOf(dir, changed, '--binary', '-M');
    const result = await applyUsable(scratch, patch);
    const wanted = await newRepository({ ...changed });
    expect(result.treeId).toBe(await userGit(wanted, 'rev-parse', 'HEAD^{tree}'));
    expect(result.fullTreeId).toBe(result.treeId);
    expect(result.setAside).toEqual([]);
    expect(result.notes).toEqual([]);
    expect(Buffer.from(result.sourcePatch).toString()).toContain('rename from src/moved.py');
    expect({ added: result.added, removed: result.removed }).toEqual({ added: 5, removed: 5 });
    expect(await applyUsable(scratch, result.sourcePatch)).toMatchObject({ treeId: result.treeId });
  });

  test('that is the same for the same change, however its patch is written', async () => {
    const { dir, scratch } = await setUp({ 'src/a.py': TEN, 'src/b.py': TEN });
    const change = { 'src/a.py': TEN.replace('line 5', 'five'), 'src/c.py': TEN, 'src/b.py': null };
    const trees = new Set<string>();
    for (const options of [[], ['-U0'], ['-U10'], ['--no-prefix'], ['-M'], ['--patience', '--full-index'], ['-W']]) {
      trees.add((await applyUsable(scratch, await patchOf(dir, change, ...options))).treeId);
    }
    const text = (await patchOf(dir, change)).toString();
    for (const variant of [`Sure!\n\`\`\`diff\n${text}\`\`\`\n`, text.replaceAll('\n', '\r\n'), text.trimEnd()]) {
      trees.add((await applyUsable(scratch, variant)).treeId);
    }
    expect([...trees]).toHaveLength(1);
  });

  test('when its lines are found further down, which is noted', async () => {
    const { dir } = await setUp({ 'src/a.py': TEN });
    const patch = await patchOf(dir, { 'src/a.py': TEN.replace('line 5', 'five') });
    const later = await setUp({ 'src/a.py': `new\nlines\n${TEN}` });
    const result = await applyUsable(later.scratch, patch);
    expect(result.notes).toEqual(['src/a.py, hunk 1: fits 2 lines away from where it says']);
    expect(await textIn(later.scratch, result.treeId, 'src/a.py')).toContain('line 4\nfive\nline 6');
  });

  test('with paths relative to a directory of the repository', async () => {
    const { dir, scratch } = await setUp({ 'packages/core/a.py': TEN, 'a.py': 'other\n' });
    const patch = await patchOf(
      dir,
      { 'packages/core/a.py': TEN.replace('line 5', 'five') },
      '--relative=packages/core',
    );
    expect(patch.toString()).toContain('--- a/a.py');
    expect(await apply(scratch, patch)).toMatchObject({ kind: 'excluded', reason: 'does-not-apply' });
    expect(await apply(scratch, patch, 'packages/core/')).toMatchObject({ changedFiles: ['packages/core/a.py'] });
  });

  test('whatever attributes the tree brings along', async () => {
    const files = { '.gitattributes': '*.py text eol=crlf -diff\nsrc/** export-ignore\n', 'src/a.py': 'a\nb\n' };
    const { scratch } = await setUp(files);
    const patch = '--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n';
    const result = await applyUsable(scratch, patch);
    expect(await textIn(scratch, result.treeId, 'src/a.py')).toBe('a\nB\n');
    expect(Buffer.from(result.sourcePatch).toString()).toContain('-b\n+B\n');
  });

  test('with a submodule moved to another commit', async () => {
    const { dir, scratch } = await setUp({ 'a.py': 'a\n' });
    const id = '1234567890123456789012345678901234567890';
    await userGit(dir, 'update-index', '--add', '--cacheinfo', `160000,${id},vendor`);
    const patch = Buffer.from(`${await userGit(dir, 'diff', '--cached')}\n`);
    const result = await applyUsable(scratch, patch);
    expect(await listTree({ scratch, treeId: result.treeId })).toContainEqual({
      path: 'vendor',
      mode: '160000',
      bytes: 0,
    });
  });
});

describe('line ends', () => {
  const CRLF = TEN.replaceAll('\n', '\r\n');
  const crlf = { 'src/a.py': CRLF };
  const fixed = { 'src/a.py': CRLF.replace('line 5', 'five') };

  test('of a tree with CRLF survive a patch as git writes it, one that lost its CRs, and one sent as text', async () => {
    const { dir, scratch } = await setUp(crlf);
    const patch = (await patchOf(dir, fixed)).toString();
    expect(patch).toContain('+five\r\n');
    for (const sent of [
      patch,
      patch.replaceAll('\r', ''),
      patch.replace(/\r?\n/g, '\r\n'),
      patch.replaceAll('\n', '\r\n'),
    ]) {
      const result = await applyUsable(scratch, sent);
      expect(await textIn(scratch, result.treeId, 'src/a.py')).toBe(fixed['src/a.py']);
    }
  });

  test('are decided for each file, and in a file of both kinds for each line', async () => {
    const mixed = 'a\r\nb\nc\r\nd\ne\r\n';
    const { dir, scratch } = await setUp({ 'lf.py': TEN, 'crlf.py': CRLF, 'mixed.py': mixed });
    const change = {
      'lf.py': TEN.replace('line 5', 'five'),
      'crlf.py': CRLF.replace('line 5', 'five'),
      'mixed.py': mixed.replace('c\r\n', 'C\r\n'),
      'new.py': 'n\n',
    };
    const patch = (await patchOf(dir, change)).toString();
    for (const sent of [patch.replace(/\r?\n/g, '\r\n'), patch.replaceAll('\r', '')]) {
      const result = await applyUsable(scratch, sent);
      const texts = await Promise.all(Object.keys(change).map((path) => textIn(scratch, result.treeId, path)));
      expect(texts).toEqual([change['lf.py'], change['crlf.py'], change['mixed.py'], 'n\n']);
      expect(result.notes.join()).toContain('crlf.py: line ends were fitted');
    }
  });

  test('that a candidate really changes are changed', async () => {
    const { dir, scratch } = await setUp({ 'src/a.py': TEN });
    const result = await applyUsable(scratch, await patchOf(dir, crlf));
    expect(await textIn(scratch, result.treeId, 'src/a.py')).toBe(CRLF);
  });

  test('at the end of a file without one stay away', async () => {
    const { dir, scratch } = await setUp({ 'src/a.py': 'a\r\nb' });
    const patch = (await patchOf(dir, { 'src/a.py': 'a\r\nB' })).toString();
    const result = await applyUsable(scratch, patch.replace(/\r?\n/g, '\r\n'));
    expect(await textIn(scratch, result.treeId, 'src/a.py')).toBe('a\r\nB');
  });
});

describe('tests that a candidate touched', () => {
  const base = { 'src/a.py': 'a\n', 'tests/test_a.py': 'old\n', 'tests/test_b.py': 'b\n', 'tox.ini': '[tox]\n' };

  test('are put back, added ones removed, deleted ones restored; both trees are known', async () => {
    const { dir, scratch } = await setUp({
      ...base,
      'setup.cfg': '[metadata]\n',
      'tests/run.py': { executable: 'r\n' },
    });
    const change = {
      'src/a.py': 'fixed\n',
      'tests/test_a.py': 'new\n',
      'tests/test_b.py': null,
      'tests/run.py': null,
      'tests/sub/test_c.py': 'c\n',
      'conftest.py': 'x\n',
      'tox.ini': '[tox]\nx\n',
      'setup.cfg': '[metadata]\nname = x\n',
    };
    const result = await applyUsable(scratch, await patchOf(dir, change));
    expect(result.changedFiles).toEqual(['setup.cfg', 'src/a.py']);
    expect(result.setAside).toEqual([
      'conftest.py',
      'tests/run.py',
      'tests/sub/test_c.py',
      'tests/test_a.py',
      'tests/test_b.py',
      'tox.ini',
    ]);
    expect(result.runnerConfig).toEqual(['setup.cfg', 'tox.ini']);
    expect(await textIn(scratch, result.fullTreeId, 'tests/test_a.py')).toBe('new\n');
    const files = await listTree({ scratch, treeId: result.treeId });
    const wanted = await listTree({ scratch, treeId: scratch.treeId });
    const others = (list: typeof files) => list.filter(({ path }) => !/^(src\/a.py|setup.cfg)$/.test(path));
    expect(others(files)).toEqual(others(wanted));
    expect(await textIn(scratch, result.treeId, 'tests/test_a.py')).toBe('old\n');
    expect(Buffer.from(result.sourcePatch).toString()).not.toMatch(/tests\/|conftest|tox/);
  });

  test('are put back even where a file took the place of their directory', async () => {
    const { dir, scratch } = await setUp(base);
    const change = { 'src/a.py': 'fixed\n', 'tests/test_a.py': null, 'tests/test_b.py': null, tests: null };
    const patch = await patchOf(dir, { ...change, tests: 'a file now\n' });
    const result = await applyUsable(scratch, patch);
    expect(await textIn(scratch, result.treeId, 'tests/test_a.py')).toBe('old\n');
    expect(result.changedFiles).toEqual(['src/a.py']);
  });

  test('alone are no candidate', async () => {
    const { dir, scratch } = await setUp(base);
    const patch = await patchOf(dir, { 'tests/test_a.py': 'new\n', 'tests/new.json': '{}' });
    expect(await apply(scratch, patch)).toEqual({
      kind: 'excluded',
      reason: 'tests-only',
      detail: 'Only tests are changed: tests/new.json, tests/test_a.py.',
    });
  });
});
