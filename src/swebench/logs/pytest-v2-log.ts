import { endsWithStatus, isSkipSummary, type LogParser, startsWithStatus } from './log-parser.js';
import { words } from './python-text.js';

/** Short colour codes, and control characters one by one; longer codes such as `[1;31m` stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const plain = (line: string): string => line.replace(/\[(\p{Nd}+)m/gu, '').replace(/[\u0001-\u001f]/g, '');

/**
 * `parse_log_pytest_v2`: astropy, scikit-learn, sphinx. Also reads the form of older releases, where the status stands
 * after the name, and v5 keeps names with spaces whole (with the reason, where one follows an ERROR or XFAIL).
 */
export const parsePytestV2Log: LogParser = ({ log, rules }) => {
  const statuses = new Map<string, string>();
  for (const raw of log.split('\n')) {
    const line = plain(raw);
    if (startsWithStatus(line)) {
      const [status, ...name] = words(line.startsWith('FAILED') ? failedLine({ line, rules }) : line);
      const [first] = name;
      if (status === undefined || first === undefined) continue;
      if (rules === 'v4') statuses.set(first, status);
      else if (!isSkipSummary({ status, name: first })) statuses.set(name.join(' '), status);
    } else if (endsWithStatus(line)) {
      const parts = words(line);
      const [first, second] = parts;
      if (first === undefined || second === undefined) continue;
      if (rules === 'v4') statuses.set(first, second);
      else statuses.set(parts.slice(0, -1).join(' '), parts.at(-1) ?? '');
    }
  }
  return { kind: 'parsed', statuses };
};

function failedLine({ line, rules }: { line: string; rules: 'v4' | 'v5' }): string {
  if (rules === 'v4') return line.replaceAll(' - ', ' ');
  const reason = line.indexOf(' - ');
  return reason === -1 ? line : line.slice(0, reason);
}
