// Runs the workflows in a few scenarios and writes their histories to test/histories, where a test replays them with
// the workflow code of the day. To be done again when the workflows change on purpose in a way that running ones
// cannot follow: `npx node scripts/record-histories.mjs`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import '../test/support/ts-source.mjs';
import { ROOT } from './bootstrap.mjs';

const { recordHistories } = await import('../test/support/record-histories.ts');

const dir = join(ROOT, 'test', 'histories');
mkdirSync(dir, { recursive: true });
await recordHistories({
  keep: ({ name, history }) => {
    const file = join(dir, `${name}.json`);
    writeFileSync(file, `${history}\n`);
    process.stdout.write(`${file} (${Math.round(history.length / 1024)} KB)\n`);
  },
});
