import { type ScriptRun, scriptArguments } from './script-arguments.js';

/** Options of runtests.py and `manage.py test` that take the next word where there is no `=`. */
const VALUED = new Set([
  '--settings',
  '--verbosity',
  '-v',
  '-k',
  '--tag',
  '--exclude-tag',
  '--testrunner',
  '--pythonpath',
]);
/** Those of them that would change which tests run, in which order, or in which process. */
const CHOOSING = new Set([
  '--parallel',
  '--start-at',
  '--start-after',
  '--bisect',
  '--pair',
  '--jobs',
  '-j',
  '-t',
  '-p',
]);
const CHOOSING_FLAGS = new Set(['--failfast', '--reverse', '-r', '--shuffle', '--pdb', '--timing', '--top-level']);

/** Sorts the options of Django's runners: tests, and what would stop early, reorder or spread the run, are left out. */
export function djangoOptions(words: readonly string[]): { options: readonly string[]; leftOut: readonly string[] } {
  const options: string[] = [];
  const leftOut: string[] = [];
  let target: string[] | null = null;
  for (const word of words) {
    const name = word.split('=', 1)[0] ?? '';
    if (target !== null && !word.startsWith('-')) {
      target.push(word);
      target = null;
      continue;
    }
    target = null;
    if (!word.startsWith('-') || CHOOSING_FLAGS.has(name)) {
      leftOut.push(word);
    } else {
      const list = CHOOSING.has(name) ? leftOut : options;
      list.push(word);
      if (word === name && (VALUED.has(name) || CHOOSING.has(name))) target = list;
    }
  }
  return { options, leftOut };
}

/**
 * Arguments of the interpreter that run one file through a project's Django runner and record it
 * (`python/testgrad_django.py`), in one process.
 */
export const djangoArguments = (run: ScriptRun): readonly string[] =>
  scriptArguments({ ...run, module: 'testgrad_django', options: [...run.options, '--parallel=1'] });
