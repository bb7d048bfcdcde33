// Tidies a tree with folders and files that their owner may not read; run as root it first becomes a plain user.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../../../src/sandbox/remove-tree.js';
import { tidyTree } from '../../../src/sandbox/tidy-tree.js';
import { becomePlainUser } from '../../support/plain-user.js';

const dir = becomePlainUser({ prefix: 'testgrad-tidy-' });
const tree = join(dir, 'tree');
const outside = join(dir, 'outside');
for (const path of [join(tree, 'locked', 'inner'), outside]) mkdirSync(path, { recursive: true });
writeFileSync(join(tree, 'locked', 'inner', 'file'), 'text', { mode: 0 });
execFileSync('mkfifo', [join(tree, 'locked', 'pipe'), join(outside, 'pipe')]);
symlinkSync(outside, join(tree, 'link'));
chmodSync(join(tree, 'locked', 'inner'), 0);
chmodSync(join(tree, 'locked'), 0o500);
chmodSync(outside, 0o500);

await tidyTree({ dir: tree });
cpSync(tree, join(dir, 'copy'), { recursive: true, verbatimSymlinks: true });
const listing = execFileSync('find', ['copy', '-mindepth', '1', '-printf', '%P\n'], { cwd: dir, encoding: 'utf8' });
const pipeOutside = existsSync(join(outside, 'pipe'));
await removeTree({ dir });
process.stdout.write(JSON.stringify({ copied: listing.trim().split('\n').sort(), pipeOutside }));
