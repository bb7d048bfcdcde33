/**
 * The bytes of a patch that stands in a JSON string: UTF-8, carriage returns and all.
 *
 * Python writes bytes of files that are not UTF-8 as lone surrogates, U+DC80 to U+DCFF ("surrogateescape", PEP 383);
 * each becomes the byte that it stands for, so that the patch applies to the file it was made from.
 */
export function patchBytes(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let start = 0;
  // With the flag u a surrogate of a pair is not found.
  for (const { index, 0: found } of text.matchAll(/[\udc80-\udcff]/gu)) {
    parts.push(Buffer.from(text.slice(start, index), 'utf8'), Uint8Array.of(found.charCodeAt(0) - 0xdc00));
    start = index + 1;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(start), 'utf8')]);
}
