/**
 * A patch is bytes: the files it quotes may be in any encoding. It is handled as text with one character a byte
 * (latin-1), so that every byte comes out as it went in.
 */
export function patchToText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** The bytes of a patch's text; the reverse of {@link patchToText}. */
export function textToPatch(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

/** A path or message inside a patch's text as people and the rest of the program know it. */
export function fromPatchText(text: string): string {
  return Buffer.from(text, 'latin1').toString('utf8');
}

/** A line without the carriage return that it may end in. */
export function bare(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
