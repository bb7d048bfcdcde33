import type { LogParser } from './log-parser.js';
import { words } from './python-text.js';

/** `parse_log_seaborn`: passes before or after the name and failures; errors and skips are not recorded. */
export const parseSeabornLog: LogParser = ({ log, rules }) => {
  const statuses = new Map<string, string>();
  for (const line of log.split('\n')) {
    const isFailed = line.startsWith('FAILED');
    const isPassed = line.startsWith('PASSED');
    if (!isFailed && !isPassed && !line.includes(' PASSED ')) continue;
    const [first, second] = words(line);
    if (first === undefined || second === undefined) {
      if (rules === 'v4') return { kind: 'unparsable', line };
      continue;
    }
    if (isFailed) statuses.set(second, 'FAILED');
    else if (!line.includes(' PASSED ')) statuses.set(second, 'PASSED');
    else if (second === 'PASSED') statuses.set(first, 'PASSED');
  }
  return { kind: 'parsed', statuses };
};
