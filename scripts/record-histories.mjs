// Runs the workflows in a few scenarios and writes their histories to test/histories, where a test replays them with
// the workflow code of the day. To be done again when the workflows change on purpose in a way that running ones
// cannot follow: `npx node scripts/record-histories.mjs`; with names behind it only these are written.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import '../test/support/ts-source.mjs';
import { ROOT } from './bootstrap.mjs';

const { recordHistories } = await import('../test/support/record-histories.ts');
const { recordBenchmarkHistories } = await import('../test/support/record-benchmark-histories.ts');

const wanted = process.argv.slice(2);
const dir = join(ROOT, 'test', 'histories');
mkdirSync(dir, { recursive: true });
const keep = ({ name, history }) => {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  const file = join(dir, `${name}.json`);
  writeFileSync(file, `${history}\n`);
  process.stdout.write(`${file} (${Math.round(history.length / 1024)} KB)\n`);
};
await recordHistories({ keep });
await recordBenchmarkHistories({ keep });
