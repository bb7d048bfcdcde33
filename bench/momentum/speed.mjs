import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mineBlocks } from '../../dist/core/momentum/mine-blocks.js';
import { mineSequences } from '../../dist/core/momentum/mine-sequences.js';
import { DATABASES } from './data.mjs';
import { prepareSpmf, timeVmsp } from './spmf.mjs';
import { timeCalls } from './timing.mjs';

/** For warming up, and again for measuring; the JVM's compilers take longer to get through. */
const BUDGET_MS = { own: 500, spmf: 1500 };

/** What is mined: the default of momentum, and the second mode where both sides get through. */
const QUESTIONS = [
  ...ask('contiguous', '3 × 20', 2),
  ...ask('contiguous', '4 × 40', 2),
  ...ask('contiguous', '4 × 100', 4, 3, 2),
  ...ask('contiguous', '8 × 100', 6, 4, 2),
  ...ask('contiguous', '8 × 400', 8, 4, 2),
  ...ask('contiguous', '8 × 400 swapped', 6, 2),
  ...ask('contiguous', 'q 4 × 100', 4, 2),
  ...ask('contiguous', 'q 8 × 400', 8, 2),
  ...ask('contiguous', 'q 100 × 50', 60, 20),
  ...ask('contiguous', 'q 1000 × 20', 100, 20),
  ...ask('contiguous', 'q 10000 × 20', 1000, 100),
  ...ask('gapped', '3 × 20', 2),
  ...ask('gapped', '4 × 40', 2),
  ...ask('gapped', '4 × 100', 4, 2),
  ...ask('gapped', '8 × 100', 6),
  ...ask('gapped', 'q 100 × 50', 60, 40),
  ...ask('gapped', 'q 1000 × 20', 100, 20),
  ...ask('gapped', 'q 10000 × 20', 1000),
  ...ask('gapped', 'swapped pairs 24', 2),
];

function ask(semantics, database, ...supports) {
  return supports.map((minSupport) => ({ semantics, database, minSupport }));
}

/** A call of VMSP that takes longer is not waited for. */
const LIMIT_MS = 20_000;

const HOW = `Median CPU time in milliseconds of the thread that mines, warmed up, inside the process (of SPMF inside the JVM; its
compiler and collector run on other threads and are not counted). "Call" reads a file of sequences, mines it and writes the
answer; "mining" is the call of our miner on what was read, and of SPMF its call without the time that reading the file (it
does that twice) and writing the answer take in the same JVM. Suites are number × statements; q: planted patterns.`;

/** Prints a table of times, `only` of one of the two semantics; returns false where an answer differs. */
export function printSpeed({ cache, say, only }) {
  const spmf = prepareSpmf({ cache });
  const work = join(cache, 'data');
  mkdirSync(work, { recursive: true });
  say(HOW);
  if (spmf.problem !== undefined) say(`\nSPMF is left out: ${spmf.problem}.`);
  say(`\n${row(['', '', '', '', 'testgrad', '', 'SPMF VMSP', '', 'factor', '', ''])}`);
  say(
    row([
      'semantics',
      'database',
      'support',
      'patterns',
      ...['call', 'mining', 'call', 'mining', 'call', 'mining'],
      'answers',
    ]),
  );
  const compared = [];
  for (const question of QUESTIONS.filter(({ semantics }) => only === undefined || semantics === only)) {
    const own = timeOwn({ question, work });
    const other = spmf.problem === undefined ? timeOther({ question, work, spmf }) : null;
    const isEqual = other?.answers === own.answers;
    if (other !== null) {
      const factors = { call: other.callMs / own.callMs, mining: other.miningMs / own.miningMs };
      compared.push({ ...question, ...factors, isWrong: own.complete && !isEqual });
    }
    say(row(cellsOf({ question, own, other, isEqual, isMissing: spmf.problem !== undefined })));
  }
  if (compared.length > 0) printGoals({ compared, say });
  return !compared.some(({ isWrong }) => isWrong);
}

function cellsOf({ question: { semantics, database, minSupport }, own, other, isEqual, isMissing }) {
  const first = [semantics, database, minSupport, own.patterns, own.callMs.toFixed(3), own.miningMs.toFixed(3)];
  const verdict = own.complete ? (isEqual ? 'equal' : 'DIFFERENT') : 'budget spent';
  if (other === null) {
    const theirs = isMissing ? ['–', '–'] : ['over', `${LIMIT_MS / 1000} s`];
    return [...first, ...theirs, '–', '–', own.complete ? '' : verdict];
  }
  const factors = [other.callMs / own.callMs, other.miningMs / own.miningMs].map((factor) => `${factor.toFixed(1)}×`);
  return [...first, other.callMs.toFixed(3), other.miningMs.toFixed(3), ...factors, verdict];
}

function printGoals({ compared, say }) {
  const least = (some) => Math.min(...some.map(({ mining }) => mining)).toFixed(1);
  const blocks = compared.filter(({ semantics }) => semantics === 'contiguous');
  const suite = blocks.filter(({ database }) => /^[48] × [14]00/.test(database));
  const gapped = compared.filter(({ semantics }) => semantics === 'gapped');
  say('');
  if (blocks.length > 0) say(`Least factor of mining, contiguous blocks, every size: ${least(blocks)} (goal: above 1)`);
  if (suite.length > 0)
    say(`Least factor of mining, 4 to 8 suites of 100 to 400 statements: ${least(suite)} (goal: 10)`);
  if (gapped.length > 0) say(`Least factor of mining, others between: ${least(gapped)}`);
}

function timeOwn({ question: { semantics, database, minSupport }, work }) {
  const input = fileOf({ database, work });
  const output = join(work, 'own.txt');
  const mine = (documents) =>
    semantics === 'contiguous'
      ? { patterns: mineBlocks({ documents, minSupport, keep: 'maximal' }), complete: true }
      : mineSequences({ documents, minSupport });
  const call = () => {
    const answer = mine(readSpmf(readFileSync(input, 'utf8')));
    writeFileSync(output, answer.patterns.map(lineOf).join(''));
  };
  const documents = readSpmf(readFileSync(input, 'utf8'));
  const { patterns, complete } = mine(documents);
  return {
    callMs: timeCalls({ call, budgetMs: BUDGET_MS.own }),
    miningMs: timeCalls({ call: () => mine(documents), budgetMs: BUDGET_MS.own }),
    patterns: patterns.length,
    complete,
    answers: sortedLines(output),
  };
}

function timeOther({ question: { semantics, database, minSupport }, work, spmf }) {
  const output = join(work, 'vmsp.txt');
  const times = timeVmsp({
    classPath: spmf.classPath,
    input: fileOf({ database, work }),
    output,
    sequences: DATABASES[database]().length,
    minSupport,
    isContiguous: semantics === 'contiguous',
    budgetMs: BUDGET_MS.spmf,
    limitMs: LIMIT_MS,
  });
  return times === null ? null : { ...times, answers: sortedLines(output) };
}

/** Writes a database in SPMF's format: -1 behind each item, -2 behind each sequence. */
function fileOf({ database, work }) {
  const path = join(work, `${database.replaceAll(/\W+/g, '-')}.txt`);
  const lines = DATABASES[database]().map((sequence) => `${sequence.map((item) => `${item} -1 `).join('')}-2\n`);
  writeFileSync(path, lines.join(''));
  return path;
}

/** Reads such a file, number by number: splitting the text would take longer than mining it. */
function readSpmf(text) {
  const documents = [];
  let [sequence, number, sign, digits] = [[], 0, 1, false];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code >= 48 && code <= 57) {
      number = number * 10 + code - 48;
      digits = true;
    } else if (code === 45) {
      sign = -1;
    } else if (digits) {
      if (sign === 1) sequence.push(number);
      if (sign === -1 && number === 2) {
        documents.push([sequence]);
        sequence = [];
      }
      [number, sign, digits] = [0, 1, false];
    }
  }
  return documents;
}

const lineOf = ({ items, support }) => `${items.map((item) => `${item} -1`).join(' ')} #SUP: ${support}\n`;

function sortedLines(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '')
    .sort()
    .join('\n');
}

const WIDTHS = [12, 18, 8, 9, 10, 10, 11, 11, 9, 9, 12];
const row = (cells) =>
  cells
    .map((cell, index) => String(cell).padEnd(WIDTHS[index] ?? 0))
    .join('')
    .trimEnd();
