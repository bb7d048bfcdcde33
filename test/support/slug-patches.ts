import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A patch of the mini project that puts lines below the docstring of `slugs.py`, as a file of `dir`. */
export async function patchWithLines({
  dir,
  agent,
  lines,
}: {
  dir: string;
  agent: string;
  lines: string;
}): Promise<string> {
  const added = lines.trimEnd().split('\n');
  const body = added.map((line) => `+${line}\n`).join('');
  const path = join(dir, `${agent}.diff`);
  await writeFile(
    path,
    `--- a/slugs.py\n+++ b/slugs.py\n@@ -1,2 +1,${added.length + 2} @@\n """Readable parts of addresses."""\n${body} import re\n`,
  );
  return path;
}
