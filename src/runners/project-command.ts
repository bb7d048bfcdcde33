import { djangoOptions } from './django.js';
import { splitWords } from './shell-words.js';
import { sympyOptions } from './sympy.js';

/** A test command of a project that has a runner of its own. */
export interface ProjectCommand {
  readonly runner: 'django' | 'sympy';
  /** The runner's script, relative to the repository's root. */
  readonly script: string;
  /** The script's own options, without tests. */
  readonly options: readonly string[];
  /** Variables that the command sets. */
  readonly variables: Readonly<Record<string, string>>;
  /** Words that were left out because they name tests or would change which tests run. */
  readonly leftOut: readonly string[];
}

/**
 * Reads a command such as `./tests/runtests.py --settings=test_sqlite`, `python manage.py test` or
 * `PYTHONWARNINGS='ignore::UserWarning' bin/test -C`; null when it is none of these runners.
 */
export function projectCommand(command: string): ProjectCommand | null {
  const words = splitWords(command).filter((word) => word !== '{tests}');
  const variables: Record<string, string> = {};
  for (let word = words[0] ?? ''; /^[A-Za-z_]\w*=/.test(word); word = words[0] ?? '') {
    variables[word.slice(0, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
    words.shift();
  }
  if (/(^|\/)python[\d.]*$/.test(words[0] ?? '')) words.shift();
  const script = (words.shift() ?? '').replace(/^\.\//, '');
  if (/(^|\/)runtests\.py$/.test(script)) return { runner: 'django', script, variables, ...djangoOptions(words) };
  if (/(^|\/)manage\.py$/.test(script) && words[0] === 'test') {
    const { options, leftOut } = djangoOptions(words.slice(1));
    return { runner: 'django', script, variables, options: ['test', ...options], leftOut };
  }
  if (/(^|\/)bin\/test$/.test(script)) return { runner: 'sympy', script, variables, ...sympyOptions(words) };
  return null;
}
