import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canEncode, decodeSource, encodeSource } from '../../src/source/encoding.js';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') => new Uint8Array(Buffer.from(text, encoding));

describe('decodeSource', () => {
  it.each([
    ['plain', bytesOf('x = "ü😀"\r\n'), 'x = "ü😀"\r\n', 'utf-8'],
    ['with a byte order mark', bytesOf('\uFEFFx = 1'), '\uFEFFx = 1', 'utf-8'],
    [
      'a declared latin-1',
      bytesOf('# -*- coding: latin-1 -*-\n"é\x80"', 'latin1'),
      '# -*- coding: latin-1 -*-\n"é\x80"',
      'latin-1',
    ],
    [
      'the second line',
      bytesOf('#!/bin/x\n# vim: fileencoding=iso-8859-1\n"é"', 'latin1'),
      '#!/bin/x\n# vim: fileencoding=iso-8859-1\n"é"',
      'latin-1',
    ],
    [
      'a code page',
      Uint8Array.of(...bytesOf('# coding: cp1251\n"'), 0xd5, 0x22),
      '# coding: cp1251\n"Х"',
      'windows-1251',
    ],
    [
      'a third line, which does not count',
      bytesOf('x\n\n# coding: latin-1\n"é"'),
      'x\n\n# coding: latin-1\n"é"',
      'utf-8',
    ],
    [
      'a declaration behind code, which does not count',
      bytesOf('x = 1\n# coding: latin-1\n"é"'),
      'x = 1\n# coding: latin-1\n"é"',
      'utf-8',
    ],
    [
      'the first of two',
      bytesOf('# coding: utf-8\n# coding: latin-1\n"é"'),
      '# coding: utf-8\n# coding: latin-1\n"é"',
      'utf-8',
    ],
    ['ascii', bytesOf('# coding: ascii\nx'), '# coding: ascii\nx', 'ascii'],
    ['nothing', new Uint8Array(), '', 'utf-8'],
  ])('reads %s', (_, bytes, text, encoding) => {
    expect(decodeSource({ bytes })).toEqual({ kind: 'decoded', text, encoding });
    expect(Buffer.from(encodeSource({ text, encoding }))).toEqual(Buffer.from(bytes));
  });

  it.each([
    ['bytes that are no UTF-8', Uint8Array.of(0x22, 0xe9, 0x22)],
    ['bytes that are no ASCII', bytesOf('# coding: us-ascii\n"é"')],
    ['an unknown encoding', bytesOf('# coding: martian\nx')],
    ['an encoding with several bytes a character', bytesOf('# coding: utf-16\nx = 1')],
  ])('refuses %s', (_, bytes) => {
    expect(decodeSource({ bytes }).kind).toBe('refused');
  });

  it('reads any bytes as declared latin-1 and writes them back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (rest) => {
        const bytes = Uint8Array.of(...bytesOf('# coding: latin-1\n'), ...rest);
        const decoded = decodeSource({ bytes });
        if (decoded.kind === 'refused') throw new Error(decoded.reason);
        expect(Buffer.from(encodeSource(decoded))).toEqual(Buffer.from(bytes));
      }),
    );
  });
});

describe('encodeSource', () => {
  it('throws for what the encoding lacks', () => {
    expect(() => encodeSource({ text: '€', encoding: 'latin-1' })).toThrow(RangeError);
    expect(canEncode({ text: '€', encoding: 'latin-1' })).toBe(false);
    expect(canEncode({ text: 'é', encoding: 'ascii' })).toBe(false);
    expect(canEncode({ text: '€', encoding: 'windows-1252' })).toBe(true);
    expect(canEncode({ text: 'a\uD800', encoding: 'utf-8' })).toBe(false);
  });
});
