import { isSpace } from './read-jsonl.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** A stretch of bytes between two commas of the outermost list or object. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Its length, also where the bytes were too many to keep. */
  readonly length: number;
}

/** Where a {@link JsonSplitter} stands. */
export type SplitState = 'before' | 'inside' | 'after' | 'broken';

/**
 * Cuts the bytes of one JSON list or object into its elements without holding more than one of them.
 *
 * It only follows strings and brackets; whether a piece is JSON is for its reader to say.
 */
export class JsonSplitter {
  state: SplitState = 'before';
  /** `[` or `{` once the first byte was seen. */
  container: 'list' | 'object' | null = null;
  readonly #maxBytes: number;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #held: Uint8Array[] = [];
  #length = 0;

  constructor({ maxBytes }: { maxBytes: number }) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes and returns the pieces that end in them. */
  push(chunk: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (this.state !== 'inside') {
        this.#outside(byte);
        start = at + 1;
      } else if (this.#inString) {
        this.#string(byte);
      } else if (byte === QUOTE) {
        this.#inString = true;
      } else if (OPENING.has(byte)) {
        this.#depth += 1;
      } else if (CLOSING.has(byte) && this.#depth > 0) {
        this.#depth -= 1;
      } else if (this.#depth === 0 && (byte === COMMA || CLOSING.has(byte))) {
        this.#keep(chunk.subarray(start, at));
        start = at + 1;
        if (byte !== COMMA) this.state = 'after';
        pieces.push(this.#take());
      }
    }
    if (this.state === 'inside') this.#keep(chunk.subarray(start));
    return pieces;
  }

  #outside(byte: number): void {
    // The bytes of a byte order mark may stand before the first bracket.
    if (isSpace(byte) || (this.state === 'before' && (byte === 0xef || byte === 0xbb || byte === 0xbf))) return;
    if (this.state === 'before' && OPENING.has(byte)) {
      this.container = byte === 0x5b ? 'list' : 'object';
      this.state = 'inside';
    } else {
      this.state = 'broken';
    }
  }

  #string(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #keep(part: Uint8Array): void {
    this.#length += part.length;
    if (this.#length <= this.#maxBytes) this.#held.push(Uint8Array.from(part));
    else this.#held = [];
  }

  #take(): Piece {
    const piece = { bytes: Buffer.concat(this.#held), length: this.#length };
    this.#held = [];
    this.#length = 0;
    return piece;
  }
}
