import { type ScriptRun, scriptArguments } from './script-arguments.js';

/** Options of sympy's bin/test that take the next word. */
const VALUED = new Set(['--timeout', '--tb', '--seed', '--hash-seed', '--rerun', '--split', '-k']);
/** Options that would change which tests run or how often. */
const CHOOSING = new Set(['-k', '--rerun', '--split']);
const CHOOSING_FLAGS = new Set(['--pdb', '--slow', '--random']);

/** Sorts the options of sympy's runner: tests, and what would choose among or repeat them, are left out. */
export function sympyOptions(words: readonly string[]): { options: readonly string[]; leftOut: readonly string[] } {
  const options: string[] = [];
  const leftOut: string[] = [];
  let target: string[] | null = null;
  for (const word of words) {
    if (target !== null) {
      target.push(word);
      target = null;
    } else if (!word.startsWith('-') || CHOOSING_FLAGS.has(word)) {
      leftOut.push(word);
    } else {
      const name = word.split('=', 1)[0] ?? '';
      const list = CHOOSING.has(name) ? leftOut : options;
      list.push(word);
      if (VALUED.has(word)) target = list;
    }
  }
  return { options, leftOut };
}

/**
 * Arguments of the interpreter that run one file through sympy's runner and record it (`python/testgrad_sympy.py`).
 *
 * The runner starts a process of its own, which would not be recorded, unless PYTHONHASHSEED is set; it must be.
 */
export const sympyArguments = (run: ScriptRun): readonly string[] =>
  scriptArguments({ ...run, module: 'testgrad_sympy' });
