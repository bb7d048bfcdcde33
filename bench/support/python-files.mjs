import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Names of folders that hold no tests of a project, or copies of others'. */
const NO_TESTS = new Set(['.git', '.hg', '.tox', '.venv', 'node_modules', '__pycache__']);

/**
 * Python test files below a folder, sorted: by the paths that the product calls tests.
 *
 * `isTestPath` is the product's own; links are not followed.
 */
export async function testFilesBelow({ dir, isTestPath }) {
  const found = [];
  const visit = async (folder) => {
    for (const entry of await readdir(join(dir, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !NO_TESTS.has(entry.name)) await visit(path);
      if (entry.isFile() && path.endsWith('.py') && isTestPath(path)) found.push(path);
    }
  };
  await visit('');
  return found.sort();
}
