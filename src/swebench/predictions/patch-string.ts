/**
 * A patch as it stands in a JSON string, the reverse of `patchBytes`: UTF-8, and each byte that is none as a lone surrogate
 * U+DC80 to U+DCFF ("surrogateescape", PEP 383), so that Python writes the file as it was.
 */
export function patchString(bytes: Uint8Array): string {
  const whole = Buffer.from(bytes);
  const text = whole.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  const parts: string[] = [];
  for (let at = 0; at < whole.length; ) {
    const length = sequenceLength({ bytes: whole, at });
    parts.push(length === 0 ? String.fromCharCode(0xdc00 + (whole[at] ?? 0)) : whole.toString('utf8', at, at + length));
    at += Math.max(1, length);
  }
  return parts.join('');
}

/** Bytes of the well-formed character that begins here, or 0 where none does. */
function sequenceLength({ bytes, at }: { bytes: Buffer; at: number }): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const text = bytes.toString('utf8', at, at + length);
  return Buffer.from(text, 'utf8').equals(bytes.subarray(at, at + length)) ? length : 0;
}
