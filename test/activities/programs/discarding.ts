// Workspaces and a release as a plain user, after tests that locked their folders; run as root it first becomes such a
// user.
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { releaseInstance } from '../../../src/activities/release-instance.js';
import { openWorkspace } from '../../../src/activities/workspace.js';
import type { Suite } from '../../../src/core/suite.js';
import { removeTree } from '../../../src/sandbox/remove-tree.js';
import { createServices } from '../../../src/workers/services.js';
import { becomePlainUser } from '../../support/plain-user.js';

const logged: string[] = [];
const logger = new DefaultLogger('WARN', ({ message }) => logged.push(message));
const asActivity = <T>(work: () => Promise<T>): Promise<T> => new MockActivityEnvironment({}, { logger }).run(work);

const home = becomePlainUser({ prefix: 'testgrad-discarding-' });
const services = createServices({ home, env: {}, stopping: new AbortController().signal });
const tree = join(home, 'tree');
mkdirSync(tree);
const suite: Suite = { schema: 'testgrad.suite/1', step: 0, edits: [], files: {}, changed: [], testFiles: [] };
const input = { runId: 'run', instance: { digest: '', bytes: 0, mediaType: '' }, settings: {} as never };
const runs = join(home, 'work', 'runs');

/** A workspace in which a test locked a folder with a file. */
async function lockedWorkspace() {
  const workspace = await openWorkspace({ services, runId: 'run', tree, suite });
  const locked = join(workspace.treeDir, 'locked');
  mkdirSync(locked);
  writeFileSync(join(locked, 'file'), '');
  chmodSync(locked, 0o500);
  return workspace;
}

const report = await asActivity(async () => {
  const { treeDir, close } = await lockedWorkspace();
  await close({ reusable: true });
  const workspaceGone = !existsSync(treeDir);

  await lockedWorkspace();
  const released = await releaseInstance({ services, input });
  const runGone = !existsSync(join(runs, 'run'));

  // The folder around it cannot be written to, so that it has to stay.
  const stuck = await lockedWorkspace();
  chmodSync(runs, 0o500);
  const warnedBefore = logged.length;
  const stuckReleased = await releaseInstance({ services, input });
  const stays = existsSync(join(stuck.treeDir, '..', '..'));
  return { workspaceGone, released, runGone, stuckReleased, stays, warnings: logged.slice(warnedBefore), warnedBefore };
});
await removeTree({ dir: home });
process.stdout.write(JSON.stringify(report));
