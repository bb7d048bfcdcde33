import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalisePatch } from '../../src/repository/normalise-patch.js';

const PATCH = `diff --git a/src/a.py b/src/a.py
index 1111111..2222222 100644
--- a/src/a.py
+++ b/src/a.py
@@ -1,3 +1,3 @@ def f():
 one
-two
+TWO
 three
`;

function normalise(text: string | Uint8Array) {
  const result = normalisePatch({ bytes: typeof text === 'string' ? Buffer.from(text) : text });
  if (result.kind === 'excluded') return result;
  return { text: Buffer.from(result.bytes).toString(), notes: result.notes };
}

describe('a patch is taken out of its text', () => {
  test.each([
    ['nothing around it', PATCH],
    ['a Markdown fence', `Here is the fix:\n\n\`\`\`diff\n${PATCH}\`\`\`\n\nIt works because\n- two is TWO\n`],
    ['a fence of tildes and prose with marks', `+ summary\n- item\n~~~\n${PATCH}~~~\n`],
    ['a mail', `From abc Mon Sep 17\nSubject: [PATCH] fix\n\n---\n src/a.py | 2 +-\n\n${PATCH}-- \n2.39.5\n\n`],
    ['a byte order mark', `\ufeff${PATCH}`],
    ['blank lines', `\n\n${PATCH}\n\n\n`],
    ['no final newline', PATCH.slice(0, -1)],
    ['CRLF line ends', PATCH.replaceAll('\n', '\r\n')],
    ['UTF-16', Buffer.from(`\ufeff${PATCH}`, 'utf16le')],
  ])('out of %s', (_, text) => {
    expect(normalise(text)).toMatchObject({ text: PATCH });
  });

  test('with several fences, all of them', () => {
    const second = PATCH.replaceAll('src/a.py', 'src/b.py');
    expect(normalise(`\`\`\`\n${PATCH}\`\`\`\nand\n\`\`\`\n${second}\`\`\``)).toMatchObject({ text: PATCH + second });
  });

  test('lines that look like headers or fences stay in their hunk', () => {
    const tricky = `--- a/x.sql
+++ b/x.sql
@@ -1,4 +1,4 @@
 \`\`\`
--- old comment
-diff --git a/x b/x
+++ new comment
+@@ -1 +1 @@
 end
`;
    expect(normalise(tricky)).toMatchObject({ text: tricky, notes: [] });
  });

  test('bytes that are no UTF-8 and carriage returns inside of lines stay', () => {
    const bytes = Buffer.from(PATCH.replace('+TWO', '+T\xe9\rO\r'), 'latin1');
    const result = normalisePatch({ bytes });
    expect(result.kind === 'patch' && Buffer.compare(result.bytes, bytes)).toBe(0);
  });
});

describe('what transport or a writer broke is mended, and said', () => {
  test('paths without a prefix, as git diff --no-prefix and svn write them', () => {
    const bare = PATCH.replaceAll('a/src', 'src').replaceAll('b/src', 'src');
    const svn = `Index: src/a.py\n=====\n--- src/a.py\t(revision 1)\n+++ src/a.py\t(working copy)\n${PATCH.slice(PATCH.indexOf('@@'))}`;
    expect(normalise(bare)).toEqual({ text: PATCH, notes: ['src/a.py: paths have no a/ and b/ prefix'] });
    expect(normalise(svn)).toMatchObject({ text: expect.stringContaining('--- a/src/a.py\t(rev') });
  });

  test('directories named a and b, and mnemonic prefixes, are not mistaken', () => {
    for (const [from, to] of [
      ['a/a/x.py', 'b/a/x.py'],
      ['i/src/a.py', 'w/src/a.py'],
    ]) {
      const text = PATCH.replaceAll('a/src/a.py', from ?? '').replaceAll('b/src/a.py', to ?? '');
      expect(normalise(text)).toEqual({ text, notes: [] });
    }
  });

  test('paths with spaces, quotes and other scripts', () => {
    const text = PATCH.replaceAll('a/src/a.py', 'my dir/ä b.py').replaceAll('b/src/a.py', 'my dir/ä b.py');
    expect(normalise(text)).toMatchObject({
      text: expect.stringContaining('diff --git a/my dir/ä b.py b/my dir/ä b.py\n'),
    });
    const quoted = PATCH.replaceAll('a/src/a.py', '"a/\\303\\244.py"').replaceAll('b/src/a.py', '"b/\\303\\244.py"');
    const result = normalisePatch({ bytes: Buffer.from(quoted) });
    expect(result.kind === 'patch' && Buffer.from(result.sections[0]?.path ?? '', 'latin1').toString()).toBe('ä.py');
  });

  test('mode lines of new and deleted files', () => {
    const created = 'diff --git a/n.py b/n.py\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+x\n';
    expect(normalise(created)).toMatchObject({ text: created.replace('---', 'new file mode 100644\n---') });
    const deleted = 'diff --git a/n.py b/n.py\n--- a/n.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n';
    expect(normalise(deleted)).toMatchObject({ text: deleted.replace('---', 'deleted file mode 100644\n---') });
  });

  test('counts of a hunk that do not fit its lines, in either direction', () => {
    const follows = PATCH.replaceAll('a.py', 'b.py');
    for (const wrong of ['-1,2 +1,2', '-1,9 +1,9', '-1 +1']) {
      const result = normalise(PATCH.replace('-1,3 +1,3', wrong) + follows);
      expect(result).toMatchObject({ text: PATCH + follows, notes: [expect.stringContaining('src/a.py, hunk 1')] });
    }
  });

  test('empty context lines that lost their space, and those trimmed at the end', () => {
    const text = '--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n one\n \n-two\n+TWO\n \n \n';
    expect(normalise(text.replace(/ $/gm, ''))).toMatchObject({ text });
    expect(normalise(text.trimEnd())).toMatchObject({ text });
  });
});

describe('what is no patch is excluded with the reason', () => {
  test.each([
    ['', 'empty', /empty/],
    [' \n\t\n', 'empty', /empty/],
    ['I could not fix it, sorry.', 'malformed', /No diff in it; it starts with: I could not/],
    [
      PATCH.replace(' three\n', '').replace('+TWO\n', ''),
      'malformed',
      /src\/a.py, hunk 1, line 5.*ends within the hunk/,
    ],
    [PATCH.replace('@@ -1,3 +1,3 @@', '@@ ... @@'), 'malformed', /Line 5: .*no line numbers/],
    [PATCH.slice(PATCH.indexOf('@@')), 'malformed', /Line 1: .*without the file/],
    [PATCH.replace('diff --git a/src/a.py b/src/a.py', 'diff --cc src/a.py'), 'malformed', /Line 1: a merge/],
    ['--- a/x\n+++ b/x\n', 'malformed', /Line 1: the section of x has no hunk/],
    [PATCH.replaceAll('/src/a.py', '/../a.py'), 'malformed', /\.\.\/a\.py leads out/],
    [PATCH.replaceAll('/src/a.py', '/.git/config'), 'malformed', /\.git\/config leads out/],
    [PATCH.replaceAll('/src/a.py', '/x/.GIT/hooks/y'), 'malformed', /leads out/],
    [PATCH.replaceAll('a/src/a.py', '/etc/x').replaceAll('b/src/a.py', '/etc/x'), 'malformed', /leads out/],
  ])('%#', (text, reason, detail) => {
    expect(normalise(text)).toEqual({ kind: 'excluded', reason, detail: expect.stringMatching(detail) });
  });
});

test('a normalised patch stays as it is', () => {
  const line = fc.constantFrom(
    ' a',
    '+b',
    '-c',
    '',
    '\\ No newline at end of file',
    '--- a/x',
    '+++ b/x',
    'prose',
    '```',
  );
  const header = fc.constantFrom(
    '@@ -1,2 +1,3 @@ f',
    '@@ -1 +1 @@',
    'diff --git a/x b/x',
    'diff --git x x',
    '-- ',
    '\r',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, header), { maxLength: 25 }), (lines) => {
      const once = normalisePatch({ bytes: Buffer.from(`--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n${lines.join('\n')}`) });
      if (once.kind === 'excluded') return;
      const twice = normalisePatch({ bytes: once.bytes });
      expect(twice.kind === 'patch' && Buffer.from(twice.bytes).toString()).toBe(Buffer.from(once.bytes).toString());
      expect(twice.kind === 'patch' && twice.notes).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
