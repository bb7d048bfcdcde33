import { InputError } from '../../errors.js';
import type { FileItem } from './file-item.js';

/** Row groups are decoded as a whole; one that announces more than this (1 GiB, uncompressed) is refused. */
const MAX_GROUP_BYTES = 1024 * 1024 * 1024;

/**
 * The rows of a parquet file, one row group after the other: memory stays at one group. All codecs that Hugging Face
 * writes are read (snappy, gzip, zstd, brotli, LZ4). Throws TG-I06 for a file that
 * is damaged or not parquet.
 */
export async function* readParquet({ path }: { path: string }): AsyncGenerator<FileItem> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file).catch((cause: unknown) => Promise.reject(damaged({ path, cause })));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    if (Number(group.total_byte_size) > MAX_GROUP_BYTES) {
      yield {
        kind: 'malformed',
        place: `rows ${rowStart + 1} to ${rowEnd}`,
        problem: 'a row group of more than 1 GiB',
      };
    } else {
      const rows = await parquetReadObjects({ file, metadata, compressors, rowStart, rowEnd }).catch((cause: unknown) =>
        Promise.reject(damaged({ path, cause })),
      );
      for (const [index, value] of rows.entries()) {
        yield { kind: 'value', value, key: null, place: `row ${rowStart + index + 1}` };
      }
    }
    rowStart = rowEnd;
  }
}

function damaged({ path, cause }: { path: string; cause: unknown }): InputError {
  return new InputError({
    code: 'TG-I06',
    what: `${path} is no parquet file that can be read (${cause instanceof Error ? cause.message : String(cause)}).`,
    meaning: 'Nothing was started.',
    fix: 'Check that it was downloaded whole.',
    cause,
  });
}
