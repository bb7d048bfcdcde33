import { readFile } from 'node:fs/promises';
import { openScratch } from '../../src/repository/scratch.js';
import { listTree } from '../../src/repository/tree-files.js';

/** A process of its own that opens a scratch repository: `node … open-process.ts <dir> <bundle file> <tree id>`. */
const [dir = '', file = '', treeId = ''] = process.argv.slice(2);
const scratch = await openScratch({ bundle: () => readFile(file), dir, treeId });
const files = await listTree({ scratch, treeId });
console.log(scratch.gitDir, ...files.map(({ path }) => path));
