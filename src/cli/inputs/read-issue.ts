import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { InputError } from '../../errors.js';
import { readNamedFile } from './read-file.js';

/** More than a model reads with profit, and surely not one issue. */
const MAX_BYTES = 1_000_000;

function noIssue(what: string): InputError {
  return new InputError({
    code: 'TG-I11',
    what,
    meaning: 'The issue tells right from wrong; without it no test can be judged. Nothing was started.',
    fix: 'Give its text: --issue issue.md, or --issue - and the text on standard input.',
  });
}

/**
 * Text of the issue, line ends as LF: a file, or standard input for `-`. Throws TG-I11 when it is missing, empty, not
 * text or larger than 1 MB, TG-I03 when the file cannot be read.
 */
export async function readIssue({
  given,
  cwd,
  stdin,
}: {
  given: string | undefined;
  cwd: string;
  stdin: NodeJS.ReadStream;
}): Promise<string> {
  if (given === undefined) throw noIssue('No issue was given.');
  if (given === '-' && stdin.isTTY === true)
    throw noIssue('--issue - waits for text, and standard input is a terminal.');
  const from = given === '-' ? 'Standard input' : `The file ${given}`;
  const content =
    given === '-'
      ? await text(stdin)
      : (await readNamedFile({ path: resolve(cwd, given), given, flag: '--issue' })).toString('utf8');
  if (content.includes('\0')) throw noIssue(`${from} is not text.`);
  if (Buffer.byteLength(content) > MAX_BYTES) throw noIssue(`${from} is larger than 1 MB, which is no issue.`);
  const issue = content
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .trim();
  if (issue === '') throw noIssue(`${from} is empty.`);
  return `${issue}\n`;
}

/** First words of an issue: its heading or first line, at most 80 characters. */
export function issueTitle(issue: string): string {
  const line = issue.split('\n').find((each) => /\w/.test(each)) ?? '';
  const title = line
    .replace(/^#+\s*/, '')
    .replace(/\s+/g, ' ')
    .trim();
  return title.length <= 80 ? title : `${title.slice(0, 77).trimEnd()}...`;
}
