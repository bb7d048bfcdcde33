import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedOutput } from '../../src/sandbox/bounded-output.js';

describe('boundedOutput', () => {
  it('keeps everything while it fits, whatever the chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 20 })), (chunks) => {
        const all = Buffer.concat(chunks);
        const output = boundedOutput({ maxBytes: all.length });
        for (const chunk of chunks) output.write(chunk);
        expect(output.text()).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(all));
        expect(output.truncated()).toBe(false);
      }),
    );
  });

  it('keeps the beginning and the end, and counts what it left out', () => {
    const letters = fc.array(fc.string({ unit: fc.constantFrom(...'abcdef'), maxLength: 30 }), { minLength: 1 });
    fc.assert(
      fc.property(letters, fc.integer({ min: 0, max: 60 }), (chunks, maxBytes) => {
        const all = chunks.join('');
        fc.pre(all.length > maxBytes);
        const output = boundedOutput({ maxBytes });
        for (const chunk of chunks) output.write(Buffer.from(chunk));
        const head = all.slice(0, Math.ceil(maxBytes / 2));
        const tail = all.slice(all.length - Math.floor(maxBytes / 2));
        expect(output.truncated()).toBe(true);
        expect(output.text()).toBe(`${head}\n… ${all.length - maxBytes} bytes left out …\n${tail}`);
      }),
    );
  });

  it('decodes a character that is split over chunks, keeps a byte order mark, replaces what is not UTF-8', () => {
    const output = boundedOutput({ maxBytes: 100 });
    const bytes = Buffer.from('\uFEFFé');
    for (const byte of [...bytes, 0xff]) output.write(Uint8Array.of(byte));
    expect(output.text()).toBe('\uFEFFé\uFFFD');
  });
});
