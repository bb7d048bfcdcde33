// Removes what tests of a plain user made hard to remove; run as root it first becomes such a user.
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeTree } from '../../../src/sandbox/remove-tree.js';
import { becomePlainUser } from '../../support/plain-user.js';

const dir = becomePlainUser({ prefix: 'testgrad-locked-' });
const outside = join(dir, 'outside');
const tree = join(dir, 'tree');
for (const path of ['closed/inner', 'blind']) mkdirSync(join(tree, path), { recursive: true });
for (const path of ['closed/inner/file', 'closed/file', 'blind/file']) writeFileSync(join(tree, path), '');
mkdirSync(outside, { mode: 0o500 });
symlinkSync(outside, join(tree, 'closed', 'link'));
chmodSync(join(tree, 'closed', 'inner'), 0o500);
chmodSync(join(tree, 'closed'), 0o500);
chmodSync(join(tree, 'blind'), 0o000);

// Deeper than a path can be long.
process.chdir(tree);
for (let depth = 0; depth < 40; depth += 1) {
  const name = 'd'.repeat(200);
  mkdirSync(name);
  process.chdir(name);
}
process.chdir(dir);

await removeTree({ dir: tree });
await removeTree({ dir: join(dir, 'nothing') });
const left = existsSync(tree);
const outsideMode = (statSync(outside).mode & 0o777).toString(8);
// Nobody may write in here, so that its content stays.
mkdirSync(join(dir, 'kept', 'tree'), { recursive: true });
chmodSync(join(dir, 'kept'), 0o500);
const refused = await removeTree({ dir: join(dir, 'kept', 'tree') }).then(
  () => false,
  () => true,
);
await removeTree({ dir });
process.stdout.write(JSON.stringify({ left, outsideMode, refused, all: existsSync(dir) }));
