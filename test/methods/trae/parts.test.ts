import { describe, expect, it } from 'vitest';
import { cleanedPatch } from '../../../src/methods/trae/cleaned-patch.js';
import { withoutComment } from '../../../src/methods/trae/line-comment.js';
import { selectorMessages } from '../../../src/methods/trae/prompt.js';
import { readReport } from '../../../src/methods/trae/report.js';
import { readSelectorCall } from '../../../src/methods/trae/tools.js';

const patchOf = (removed: string, added: readonly string[], path = 'src/a.py') =>
  [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -1,3 +1,${2 + added.length} @@ def f():`,
    ' x = 1',
    `-${removed}`,
    ...added.map((line) => `+${line}`),
    ' z = 3',
    '',
  ].join('\n');

describe('the cleaned patch', () => {
  const key = '-y=2+y=3';

  it.each([
    ['the change itself', patchOf('y = 2', ['y = 3'])],
    ['other spacing', patchOf('y = 2', ['y   =   3'])],
    ['a comment', patchOf('y = 2', ['y = 3  # why'])],
    ['other indentation', patchOf('y = 2', ['        y = 3'])],
    ['another file', patchOf('y = 2', ['y = 3'], 'src/b.py')],
    ['CRLF', patchOf('y = 2', ['y = 3']).replaceAll('\n', '\r\n')],
    ['blank and comment lines', patchOf('y = 2', ['', '# why', 'y = 3', '   # why not'])],
  ])('does not see %s', (_, patch) => {
    expect(cleanedPatch(patch)).toBe(key);
  });

  it('keeps a hash in a string, and loses what follows one where the line is not Python by itself', () => {
    expect(cleanedPatch(patchOf('y = 2', ["y = 'a # b'"]))).toBe("-y=2+y='a#b'");
    expect(cleanedPatch(patchOf('y = 2', ['y = """a # b']))).toBe('-y=2+y="""a');
  });

  it('takes all leading signs of a line away', () => {
    expect(cleanedPatch(patchOf('-- y', ['++i']))).toBe('-y+i');
  });

  it('is empty for no text, for text that is no diff and for a binary diff', () => {
    const binary = 'diff --git a/a.png b/a.png\nindex 1..2 100644\nBinary files a/a.png and b/a.png differ\n';
    for (const patch of ['', 'I could not do it.\n- nothing\n+ at all', binary]) expect(cleanedPatch(patch)).toBe('');
  });

  it('is the text without white space where a hunk is not as long as it says', () => {
    const cut = '--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n x = 1\n-y = 2';
    expect(cleanedPatch(cut)).toBe('---a/a.py+++b/a.py@@-1,3+1,3@@x=1-y=2');
  });

  it('reads removed lines that look like a header, and hunks without counts', () => {
    expect(cleanedPatch('--- a/q.sql\n+++ b/q.sql\n@@ -1 +1 @@\n--- old\n+++ new\n')).toBe('-old+new');
  });
});

describe('a line without its comment', () => {
  it.each([
    ['f(a, # b', 'f(a, '],
    ["f('#',", "f('"],
    ["f('#')  # c", "f('#')  "],
    [`x = "it's" # c`, `x = "it's" `],
    ["x = '\\'#' # c", "x = '\\'#' "],
    ["x = '''a'# ''' # c", "x = '''a'# ''' "],
    ["x = '' # c", "x = '' "],
    [') # c', ') '],
    ["'#' + \\", "'"],
    ['x = 1', 'x = 1'],
  ])('%s', (line, bare) => {
    expect(withoutComment(line)).toBe(bare);
  });
});

describe('the selector’s report', () => {
  const report = (text: string) => readReport({ text, patches: 3 });

  it('names the patch after the last `Patch-`', () => {
    const text = 'So.\n### Status: succeed\n### Result: Patch-2\n### Analysis: It is right; Patch-1 is not.';
    expect(report(text)).toEqual({ kind: 'choice', number: 2 });
    expect(report('Status: success\nResult: not Patch-1 but Patch-3\nAnalysis: …')).toEqual({
      kind: 'choice',
      number: 3,
    });
    expect(report('Status: successful  \n\nResult:\n3\nAnalysis:')).toEqual({ kind: 'choice', number: 3 });
  });

  it.each(['**Patch-2**', 'Patch-4', 'Patch-0', 'Patch-02', 'Patch-2.', 'both', ''])('names none in %j', (result) => {
    expect(report(`Status: succeed\nResult: ${result}\nAnalysis: …`)).toEqual({ kind: 'choice', number: null });
  });

  it('is none with another status, and unfinished without its analysis', () => {
    for (const status of ['succeeded', 'failed', 'partially succeed']) {
      const text = `Status: ${status}\nResult: Patch-2\nAnalysis: …`;
      expect(report(text)).toEqual({ kind: 'none' });
    }
    expect(report('Status: succeed\nResult: Patch-2')).toEqual({ kind: 'unfinished' });
    expect(report('Status: succeed, Result: Patch-2, Analysis: …')).toEqual({ kind: 'none' });
  });
});

describe('the selector’s prompt and tools', () => {
  it('shows the issue and each patch under its number', () => {
    const [system, user] = selectorMessages({ issue: 'Fix it.', repositoryPath: '/repo', diffs: ['+a', '+b'] });
    expect(system?.content).toContain('there are 2 candidate patches');
    for (const words of ['Status: succeed', 'Result: Patch-K', 'Analysis:']) expect(system?.content).toContain(words);
    expect(user?.content).toContain('Patch-1:\n<patch>\n+a\n</patch>\n\nPatch-2:\n<patch>\n+b\n</patch>');
    expect(user?.content).toContain('<issue>\nFix it.\n</issue>');
  });

  it('reads calls, and answers unusable ones with the reason', () => {
    const read = (name: string, argumentsText: string) => readSelectorCall({ name, argumentsText });
    expect(read('bash', '{"command":"ls"}')).toMatchObject({ kind: 'call', arguments: { command: 'ls' } });
    const view = '{"command":"view","path":"a.py","view_range":[1,-1]}';
    expect(read('str_replace_based_edit_tool', view)).toMatchObject({
      kind: 'call',
      arguments: { view_range: [1, -1] },
    });
    expect(read('bash', '{"command":{"cmd":"ls"}}')).toMatchObject({ kind: 'invalid' });
    expect(read('str_replace_based_edit_tool', '{"command":"undo","path":"a"}')).toMatchObject({ kind: 'invalid' });
    expect(read('python', '{}')).toMatchObject({
      kind: 'invalid',
      reason: expect.stringContaining('no tool "python"'),
    });
  });
});
