/** A sink that keeps the beginning and the end of a stream. */
export interface BoundedOutput {
  readonly write: (chunk: Uint8Array) => void;
  /** Decoded once, as UTF-8 with replacement; a line in the middle says what was left out. */
  readonly text: () => string;
  readonly truncated: () => boolean;
}

/**
 * Keeps at most `maxBytes` of a stream: the first half (import errors stand there) and the last (summaries do).
 * Memory stays under three times `maxBytes` whatever is written.
 */
export function boundedOutput({ maxBytes }: { maxBytes: number }): BoundedOutput {
  const headBytes = Math.ceil(maxBytes / 2);
  const tailBytes = maxBytes - headBytes;
  const head: Uint8Array[] = [];
  let headLength = 0;
  let tail: Uint8Array[] = [];
  let tailLength = 0;
  let dropped = 0;

  const compactTail = (): void => {
    const joined = Buffer.concat(tail);
    const kept = Buffer.from(joined.subarray(Math.max(0, joined.length - tailBytes)));
    dropped += joined.length - kept.length;
    tail = [kept];
    tailLength = kept.length;
  };

  return {
    write: (chunk) => {
      const forHead = chunk.subarray(0, headBytes - headLength);
      if (forHead.length > 0) {
        head.push(forHead);
        headLength += forHead.length;
      }
      const forTail = chunk.subarray(forHead.length);
      if (forTail.length === 0) return;
      tail.push(forTail);
      tailLength += forTail.length;
      if (tailLength > 2 * tailBytes) compactTail();
    },
    text: () => {
      if (tailLength > tailBytes) compactTail();
      const gap = dropped > 0 ? [Buffer.from(`\n… ${dropped} bytes left out …\n`)] : [];
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat([...head, ...gap, ...tail]));
    },
    truncated: () => dropped > 0 || tailLength > tailBytes,
  };
}
