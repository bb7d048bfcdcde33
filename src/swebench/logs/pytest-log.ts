import { isSkipSummary, type LogParser, startsWithStatus } from './log-parser.js';
import { words } from './python-text.js';

/**
 * Reads lines of pytest's `-rA` summary: a line that begins with a status word; the word is the status and the next one
 * the name, so that a name is cut at its first space. `line` and `name` may change what is read first.
 */
function summaryParser({
  line: changeLine = (line) => line,
  name: changeName = (name) => name,
}: {
  line?: (line: string) => string;
  name?: (name: string) => string;
}): LogParser {
  return ({ log, rules }) => {
    const statuses = new Map<string, string>();
    for (const raw of log.split('\n')) {
      const line = changeLine(raw);
      if (!startsWithStatus(line)) continue;
      const [status, name] = words(line.startsWith('FAILED') ? line.replaceAll(' - ', ' ') : line);
      if (status === undefined || name === undefined) continue;
      if (rules === 'v5' && isSkipSummary({ status, name })) continue;
      statuses.set(changeName(name), status);
    }
    return { kind: 'parsed', statuses };
  };
}

/** `parse_log_pytest`: flask, xarray, pytest and most others. */
export const parsePytestLog = summaryParser({});

/** `parse_log_pytest_options`: requests, pydicom, pylint. Folders of a path in the parameters are dropped. */
export const parsePytestOptionsLog = summaryParser({
  name: (name) => {
    const open = name.indexOf('[');
    const close = name.lastIndexOf(']');
    if (open === -1 || close < open) return name;
    const option = name.slice(open + 1, close);
    const isPath = option.startsWith('/') && !option.startsWith('//') && !option.includes('*');
    return `${name.slice(0, open)}[${isPath ? option.slice(option.lastIndexOf('/')) : option}]`;
  },
});

/** `parse_log_matplotlib`: parameters name mouse buttons differently on different interpreters. */
export const parseMatplotlibLog = summaryParser({
  line: (line) => line.replaceAll('MouseButton.LEFT', '1').replaceAll('MouseButton.RIGHT', '3'),
});
