import { type Refusal, refused } from './planned-edit.js';

/** The encoding of a Python source file: `utf-8`, `ascii`, `latin-1`, or the WHATWG label of a single-byte encoding. */
export type SourceEncoding = string;

/** A file's text; a byte order mark stays its first character. */
export interface DecodedSource {
  readonly kind: 'decoded';
  readonly text: string;
  readonly encoding: SourceEncoding;
}

/** PEP 263: a comment in one of the first two lines; the second counts only below a line without code. */
const COOKIE = /^(?:[ \t\f]*(?:#[^\r\n]*)?\r?\n)??[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]+)/;

const LATIN_1 = /^(iso-?8859-?1|latin-?1|l1|cp819|iso-ir-100)$/;
const UTF_8 = /^(utf-?8(-sig|-unix|-dos|-mac)?|u8|utf)$/;
const ASCII = /^(us-ascii|ascii|646)$/;

/**
 * Decodes a Python file as Python reads it: the encoding that its PEP 263 comment declares, else UTF-8.
 *
 * Refused when the bytes are not of that encoding, or when they could not be written back byte for byte. Single-byte
 * encodings are supported; others only as far as the platform decodes them without loss.
 */
export function decodeSource({ bytes }: { readonly bytes: Uint8Array }): DecodedSource | Refusal {
  const head = Buffer.from(bytes.subarray(0, 512))
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '');
  const declared = COOKIE.exec(head)?.[1]?.toLowerCase().replaceAll('_', '-') ?? 'utf-8';
  const encoding = encodingOf(declared);
  const text = decode({ bytes, encoding });
  const back = text === null ? null : encodeOrNull({ text, encoding });
  if (text === null || back === null || Buffer.compare(back, bytes) !== 0) {
    return refused(`The file is not ${encoding} text that can be written back unchanged.`);
  }
  return { kind: 'decoded', text, encoding };
}

/** Encodes a text as it was decoded; throws a RangeError for a character that the encoding lacks. */
export function encodeSource({
  text,
  encoding,
}: {
  readonly text: string;
  readonly encoding: SourceEncoding;
}): Uint8Array {
  const bytes = encodeOrNull({ text, encoding });
  if (bytes === null) {
    throw new RangeError(`The text has a character that ${encoding} lacks.`);
  }
  return bytes;
}

/** True when every character of a text exists in an encoding. */
export function canEncode({ text, encoding }: { readonly text: string; readonly encoding: SourceEncoding }): boolean {
  return encodeOrNull({ text, encoding }) !== null;
}

function encodingOf(declared: string): SourceEncoding {
  if (UTF_8.test(declared)) return 'utf-8';
  if (ASCII.test(declared)) return 'ascii';
  return LATIN_1.test(declared) ? 'latin-1' : aliasOf(declared);
}

/** Python's names of code pages, as the platform's decoder knows them. */
function aliasOf(name: string): string {
  return name.replace(/^cp-?(125\d)$/, 'windows-$1').replace(/^(?:iso-?)?(?:8859|latin)-?(\d+)$/, 'iso-8859-$1');
}

function decode({ bytes, encoding }: { readonly bytes: Uint8Array; readonly encoding: string }): string | null {
  if (encoding === 'latin-1' || encoding === 'ascii') {
    return Buffer.from(bytes).toString('latin1');
  }
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function encodeOrNull({ text, encoding }: { readonly text: string; readonly encoding: string }): Uint8Array | null {
  if (encoding === 'utf-8') {
    return /\p{Surrogate}/u.test(text) ? null : new TextEncoder().encode(text);
  }
  const table = encoding === 'latin-1' || encoding === 'ascii' ? null : byteTable(encoding);
  const highest = encoding === 'ascii' ? 127 : 255;
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const byte = table === null ? code : table.get(code);
    if (byte === undefined || byte > highest) {
      return null;
    }
    bytes[index] = byte;
  }
  return bytes;
}

/** Character code to byte for a single-byte encoding. */
function byteTable(encoding: string): ReadonlyMap<number, number> {
  const table = new Map<number, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const text = decode({ bytes: Uint8Array.of(byte), encoding });
    if (text?.length === 1) {
      table.set(text.charCodeAt(0), byte);
    }
  }
  return table;
}
