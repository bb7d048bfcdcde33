// `npm run --silent mine -- FILE`: the maximal frequent patterns of one database of sequences, by the product's miner.
import { resolve } from 'node:path';
import { mineDatabase } from '../../core/momentum/mine-database.js';
import { InputError, TestgradError } from '../../errors.js';
import { failureLines } from '../failure.js';
import { readNamedFile } from '../inputs/read-file.js';
import { readDatabase } from './read-database.js';

try {
  const [given, ...more] = process.argv.slice(2);
  if (given === undefined || more.length > 0) {
    throw new InputError({
      code: 'TG-I14',
      what: `One file is expected; ${given === undefined ? 'none was' : `${more.length + 1} were`} given.`,
      meaning: 'Nothing was mined.',
      fix: 'npm run --silent mine -- FILE',
    });
  }
  const path = resolve(given);
  const text = (await readNamedFile({ path, given, flag: 'FILE' })).toString('utf8');
  process.stdout.write(`${JSON.stringify(mineDatabase(readDatabase({ text, given })))}\n`);
} catch (error) {
  if (!(error instanceof TestgradError)) throw error;
  process.stderr.write(`${failureLines(error).join('\n')}\n`);
  process.exitCode = 2;
}
