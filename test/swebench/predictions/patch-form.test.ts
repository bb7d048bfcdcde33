import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patchBytes } from '../../../src/swebench/predictions/patch-bytes.js';
import { patchForm } from '../../../src/swebench/predictions/patch-form.js';
import { diff } from './workbench.js';

test.each([
  ['diff', diff('new')],
  ['diff', `\n${diff('new')}`],
  ['diff', diff('new').replaceAll('\n', '\r\n')],
  ['diff', '--- a.py\n+++ a.py\n@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file'],
  ['diff', 'Index: a.py\n=====\n--- a.py\n+++ a.py\n@@ -1 +1,2 @@\n a\n+Here is why:\n'],
  ['diff', 'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n'],
  ['diff', 'diff --git a/x.png b/x.png\nGIT binary patch\nliteral 3\nKcmZQzWMT#Y01f~L\n\nliteral 0\nHcmV?d00001\n\n'],
  ['diff', '--- a/r.md\n+++ b/r.md\n@@ -1,3 +1,3 @@\n-```\n+```py\n \n ```\n'],
  ['fenced', `\`\`\`diff\n${diff('new')}\`\`\`\n`],
  ['prose', `Here is the fix:\n\n${diff('new')}`],
  ['prose', `\`\`\`diff\n${diff('new')}\`\`\`\nThis should work.`],
  ['prose', `${diff('new')}\nI hope that this helps.\n`],
  ['no-diff', 'I could not find the bug.'],
  ['no-diff', '```python\nprint(1)\n```'],
  ['empty', ' \n\t'],
])('%s: %j', (form, text) => {
  expect(patchForm(text)).toBe(form);
});

test('bytes of a patch are those of its text, and of the file where Python escaped them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(Buffer.from(patchBytes(text))).toEqual(Buffer.from(text, 'utf8'));
    }),
  );
  const escaped = JSON.parse('"+caf\\udce9 \\ud83d\\ude00\\r\\n"') as string;
  expect(Buffer.from(patchBytes(escaped)).toString('latin1')).toBe('+caf\xe9 \xf0\x9f\x98\x80\r\n');
});
