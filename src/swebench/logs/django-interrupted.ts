import { PYTHON_SPACE } from './python-text.js';

/** A message of Django's that may stand between a test's name and its `ok`. */
interface Interruption {
  readonly message: string;
  /**
   * Says for the position behind the message where the match ends, or -1; asked with rising positions, so that what it
   * has searched in vain is not searched again.
   */
  readonly endFinder: (log: string) => (position: number) => number;
}

const INTERRUPTIONS: readonly Interruption[] = [
  {
    message: 'Testing against Django installed in ',
    endFinder: (log) => {
      let next = 0;
      return (position) => {
        while (next !== -1 && next < position) next = log.indexOf(' silenced).\nok', Math.max(next + 1, position));
        while (next !== -1 && behindOk({ log, at: next + 11 }) === -1) next = log.indexOf(' silenced).\nok', next + 1);
        return next === -1 ? -1 : behindOk({ log, at: next + 11 });
      };
    },
  },
  {
    message: 'Internal Server Error: /',
    endFinder: (log) => {
      const lineEnd = lineEndFinder(log);
      return (position) => {
        const end = lineEnd(position);
        return end > position && log[end - 1] === '/' ? behindOk({ log, at: end }) : -1;
      };
    },
  },
  {
    message: 'System check identified no issues (0 silenced)',
    endFinder: (log) => (position) => behindOk({ log, at: position }),
  },
];

/**
 * Names of the tests that the three multi-line expressions of `parse_log_django` find: `name ... MESSAGE`, whatever the
 * message goes on with, and `ok` on a line of its own.
 *
 * The expressions backtrack over a whole log; here every place is looked at once.
 */
export function interruptedTests(log: string): readonly string[] {
  return INTERRUPTIONS.flatMap((interruption) => testsOf({ log, interruption }));
}

function testsOf({ log, interruption }: { log: string; interruption: Interruption }): readonly string[] {
  const { message, endFinder } = interruption;
  const mark = `[${PYTHON_SPACE}]\\.\\.\\.[${PYTHON_SPACE}]${message.replace(/[()]/g, '\\$&')}`;
  const endOf = endFinder(log);
  const startOf = lineStartFinder(log);
  const names: string[] = [];
  let matchedTo = 0;
  // Looked ahead for, because the last space of one message may begin the next.
  for (const { index } of log.matchAll(new RegExp(`(?=${mark})`, 'gu'))) {
    const lineStart = startOf(index);
    if (lineStart < matchedTo) continue;
    const end = endOf(index + ' ... '.length + message.length);
    if (end === -1) continue;
    names.push(log.slice(lineStart, index));
    matchedTo = end;
  }
  return names;
}

/** End of a line that is `ok` and begins behind the line end at `at`, else -1. */
const behindOk = ({ log, at }: { log: string; at: number }): number =>
  log.startsWith('\nok', at) && (at + 3 === log.length || log[at + 3] === '\n') ? at + 3 : -1;

/** Position of the line end at or behind a position, -1 without one. Positions must not go down from call to call. */
function lineEndFinder(log: string): (position: number) => number {
  let end = log.indexOf('\n');
  return (position) => {
    if (end !== -1 && end < position) end = log.indexOf('\n', position);
    return end;
  };
}

/** Where the line of a position begins; a line end belongs to its line. Positions must not go down either. */
function lineStartFinder(log: string): (position: number) => number {
  const endOf = lineEndFinder(log);
  let start = 0;
  return (position) => {
    for (let end = endOf(start); end !== -1 && end < position; end = endOf(start)) start = end + 1;
    return start;
  };
}
