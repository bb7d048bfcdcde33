/** Bytes in front of each frame: one for the stream, three empty ones, four for the length. */
const HEADER_BYTES = 8;
const STDERR = 2;

/**
 * Takes the two outputs of a container apart, which Docker sends as frames on one connection. Chunks may end anywhere.
 * Work and memory are those of the bytes: a program that writes single bytes costs no more.
 */
export function frameReader({
  stdout,
  stderr,
}: {
  stdout: (bytes: Uint8Array) => void;
  stderr: (bytes: Uint8Array) => void;
}): (chunk: Uint8Array) => void {
  const header = Buffer.alloc(HEADER_BYTES);
  let headerBytes = 0;
  let left = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left === 0) {
        const taken = chunk.subarray(at, at + HEADER_BYTES - headerBytes);
        header.set(taken, headerBytes);
        headerBytes += taken.length;
        at += taken.length;
        if (headerBytes < HEADER_BYTES) return;
        left = header.readUInt32BE(4);
        headerBytes = 0;
        continue;
      }
      const bytes = chunk.subarray(at, at + left);
      (header[0] === STDERR ? stderr : stdout)(bytes);
      left -= bytes.length;
      at += bytes.length;
    }
  };
}
