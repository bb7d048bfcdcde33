import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownBlock, markdownCode, safeJson, safeLine, safeText } from '../../src/report/safe-text.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be left.
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

const hostile = fc.string({
  unit: fc.constantFrom('\u001b', '[', ']', '0', ';', 'm', '\u0007', '\u009b', '\r', '\n', '\u202e', 'a', '`', '|'),
});

test('nothing unsafe is left, and what is safe stays as it is', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(safeText(text)).not.toMatch(UNSAFE);
      expect(safeLine(text)).not.toMatch(/[\n\t]/);
      expect(safeText(safeText(text))).toBe(safeText(text));
    }),
  );
  const code = 'def f(x: str) -> "T":\n\treturn {"ü": `x`, 日本: 1} # [ok]';
  expect(safeText(code)).toBe(code);
});

test('JSON means the same and shows nothing unsafe', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
      const json = safeJson({ text });
      expect(json).not.toMatch(UNSAFE);
      expect(JSON.parse(json)).toEqual({ text });
    }),
  );
});

test('code cannot leave its fence', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const block = markdownBlock({ text, language: 'python' });
      const fence = block.at(-1) ?? '';
      expect(block.slice(1, -1).some((line) => line.includes(fence))).toBe(false);
      const code = markdownCode(text);
      const opening = code.match(/^`+/)?.[0] ?? '';
      expect(code.slice(opening.length, -opening.length)).not.toContain(opening);
    }),
  );
});
