import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patchBytes } from '../../../src/swebench/predictions/patch-bytes.js';
import { patchString } from '../../../src/swebench/predictions/patch-string.js';

test('any bytes come back as they were', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(Buffer.from(patchBytes(patchString(bytes)))).toEqual(Buffer.from(bytes));
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(patchString(Buffer.from(text))).toBe(text);
    }),
  );
});

test('a byte of Latin-1 is what Python writes for it', () => {
  expect(JSON.stringify(patchString(Uint8Array.of(0x2b, 0x63, 0xe9, 0x0a)))).toBe('"+c\\udce9\\n"');
  expect(patchString(Buffer.from('\ufffd'))).toBe('\ufffd');
});
