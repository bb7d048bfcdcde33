import { join } from 'node:path';

/** File of the rows that grade, apart from all that a selection is handed; only the import and evaluation name it. */
export const gradingFile = ({ cacheDir, key }: { cacheDir: string; key: string }): string =>
  join(cacheDir, 'grading', `${key}.jsonl`);
