import { interruptedTests } from './django-interrupted.js';
import type { LogParser } from './log-parser.js';
import { strip, words } from './python-text.js';

const PASSED_ENDINGS = [' ... ok', ' ... OK', ' ...  OK'] as const;
const VERSION_TEST = '--version is equivalent to version';

/**
 * `parse_log_django`: what unittest prints with verbosity 2, where the first line of a docstring stands for the name.
 * `expected failure` is not recorded. A bare `FAIL:` or `ERROR:` makes the harness break off.
 */
export const parseDjangoLog: LogParser = ({ log }) => {
  const statuses = new Map<string, string>();
  let previous: string | null = null;
  for (const line of log.split('\n').map(strip)) {
    if (line.includes(VERSION_TEST)) statuses.set(VERSION_TEST, 'PASSED');
    if (line.includes(' ... ')) previous = before({ line, mark: ' ... ' });

    const passed = passedName(line);
    if (passed !== null) statuses.set(passed, 'PASSED');
    if (line.includes(' ... skipped')) statuses.set(before({ line, mark: ' ... skipped' }), 'SKIPPED');
    for (const [word, status] of [
      ['FAIL', 'FAILED'],
      ['ERROR', 'ERROR'],
    ] as const) {
      if (line.endsWith(` ... ${word}`)) statuses.set(before({ line, mark: ` ... ${word}` }), status);
      if (!line.startsWith(`${word}:`)) continue;
      const [, name] = words(line);
      if (name === undefined) return { kind: 'unparsable', line };
      statuses.set(name, status);
    }
    // Whatever a test printed between its name and its result stands on lines of its own.
    if (line.startsWith('ok') && previous !== null) statuses.set(previous, 'PASSED');
  }
  for (const name of interruptedTests(log)) statuses.set(name, 'PASSED');
  return { kind: 'parsed', statuses };
};

const before = ({ line, mark }: { line: string; mark: string }): string => line.slice(0, line.indexOf(mark));

function passedName(line: string): string | null {
  const ending = PASSED_ENDINGS.find((end) => line.endsWith(end));
  if (ending === undefined) return null;
  // django__django-7188: a migration's message stands on the line of the test.
  const isGlued = line.startsWith('Applying sites.0002_alter_domain_unique...test_no_migrations');
  const own = isGlued ? strip(line.slice(line.indexOf('...') + 3)) : line;
  return own.slice(0, -ending.length);
}
