import type { LogParser } from './log-parser.js';
import { strip, words } from './python-text.js';

const ENDINGS = [
  [' E', 'ERROR'],
  [' F', 'FAILED'],
  [' ok', 'PASSED'],
] as const;

/**
 * `parse_log_sympy`: banners `____ path.py:test ____` of failures under the file's name, and one line a test under the
 * bare name, so that tests of the same name in two files share a status. Expected failures and skips are not recorded.
 */
export const parseSympyLog: LogParser = ({ log }) => {
  const statuses = new Map<string, string>();
  const lines = log.split('\n');
  for (const line of lines) {
    const name = bannerName(line);
    if (name !== null) statuses.set(name, 'FAILED');
  }
  for (const line of lines.map(strip)) {
    if (!line.startsWith('test_')) continue;
    const [name] = words(line);
    for (const [ending, status] of ENDINGS) {
      if (name !== undefined && line.endsWith(ending)) statuses.set(name, status);
    }
  }
  return { kind: 'parsed', statuses };
};

/**
 * What `(_*) (.*)\.py:(.*) (_*)` finds in a line, in one pass: from the first space to the last `.py:`, and from there
 * to the last space. The expression itself takes quadratic time on lines that a test can print.
 */
function bannerName(line: string): string | null {
  const first = line.indexOf(' ');
  const last = line.lastIndexOf(' ');
  if (first === -1 || last < 4) return null;
  const extension = line.lastIndexOf('.py:', last - 4);
  if (extension <= first) return null;
  return `${line.slice(first + 1, extension)}.py:${line.slice(extension + 4, last)}`;
}
