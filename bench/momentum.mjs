// `npm run bench:momentum [-- contiguous|gapped]`: tokens of the momentum against those of the raw memory, and time of mining
// against SPMF's VMSP with the answers compared. What it compares with is fetched into a cache outside of the checkout.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { printCompression } from './momentum/compression.mjs';
import { printSpeed } from './momentum/speed.mjs';

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'testgrad', 'bench-momentum');
mkdirSync(cache, { recursive: true });
const say = (line) => process.stdout.write(`${line}\n`);

// Times first: with tokenizer and grammar in memory, collecting garbage would be a part of what takes microseconds.
const isSame = printSpeed({ cache, say, only: process.argv[2] });
say('');
const isSmall = await printCompression({ cache, say });
if (!isSmall || !isSame) {
  say(isSame ? '\nA momentum has more than 150 tokens.' : '\nAn answer differs from that of VMSP.');
  process.exitCode = 1;
}
