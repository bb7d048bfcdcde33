import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** Absolute path of the Python program that normalises sources, beside this module both before and after a build. */
export function normaliserProgram(): string {
  return fileURLToPath(new URL('./python/testgrad_normalise.py', import.meta.url));
}

/** A file that a patch changes, whole, before and after. A file that is not there is empty text. */
export interface ChangedSource {
  readonly path: string;
  readonly old: string;
  readonly new: string;
}

/** A changed file without formatting, comments and docstrings. */
export interface NormalisedSource extends ChangedSource {
  /** True when functions or methods were added, and none was removed or altered. */
  readonly onlyNewFunctions: boolean;
}

/**
 * Runs the program with this text on standard input and resolves to its standard output, or to null where there is no
 * Python of 3.9 or later, or it failed.
 */
export type RunNormaliser = (input: string) => Promise<string | null>;

const answer = z.object({
  files: z.array(z.object({ old: z.string(), new: z.string(), onlyNewFunctions: z.boolean() })),
  scripts: z.array(z.string()),
});

/** Sources without what does not change their meaning; null where the program gave no usable answer. */
export async function normaliseSources({
  files,
  scripts,
  run,
}: {
  files: readonly ChangedSource[];
  scripts: readonly string[];
  run: RunNormaliser;
}): Promise<{ files: readonly NormalisedSource[]; scripts: readonly string[] } | null> {
  const output = await run(JSON.stringify({ files: files.map((each) => ({ old: each.old, new: each.new })), scripts }));
  const read = answer.safeParse(parseJson(output ?? ''));
  if (!read.success || read.data.files.length !== files.length || read.data.scripts.length !== scripts.length) {
    return null;
  }
  return {
    files: read.data.files.map((each, at) => ({ ...each, path: files[at]?.path ?? '' })),
    scripts: read.data.scripts,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
