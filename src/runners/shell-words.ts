import { InputError } from '../errors.js';

/** Characters that mean something to a shell and are not interpreted here. */
const OPERATORS = ';|&><$()`\n';

/**
 * Splits a command line into words by the quoting rules of POSIX: blanks separate, single quotes keep everything,
 * double quotes keep everything but a backslash before `"`, `\`, `$` or a backtick, a backslash keeps the next
 * character. Nothing is expanded: no variables, no globs, no `~`.
 *
 * Throws InputError TG-I14 for a shell operator outside of quotes (and `$` or a backtick inside double quotes), and for
 * a quote that is not closed.
 */
export function splitWords(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let index = 0; index < command.length; index += 1) {
    const char = command.charAt(index);
    if (quote === "'") {
      if (char === "'") quote = null;
      else word += char;
    } else if (char === '\\') {
      const next = command.charAt(index + 1);
      if (next === '') throw unreadable({ command, why: 'it ends with a backslash' });
      const isEscape = quote === null || '"\\$`'.includes(next);
      word = `${word ?? ''}${isEscape ? next : `\\${next}`}`;
      index += 1;
    } else if (quote === '"') {
      if (char === '"') quote = null;
      else if (char === '$' || char === '`') throw operator({ command, char });
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (char === ' ' || char === '\t') {
      if (word !== null) words.push(word);
      word = null;
    } else if (OPERATORS.includes(char)) {
      throw operator({ command, char });
    } else {
      word = `${word ?? ''}${char}`;
    }
  }
  if (quote !== null) throw unreadable({ command, why: `a ${quote} is not closed` });
  return word === null ? words : [...words, word];
}

function operator({ command, char }: { command: string; char: string }): InputError {
  const shown = char === '\n' ? 'a line break' : `\`${char}\``;
  return new InputError({
    code: 'TG-I14',
    what: `The test command holds ${shown}, which only a shell understands: ${command}`,
    meaning: 'Tests are started without a shell, so that nothing in a repository or a patch can add commands.',
    fix: 'Give one plain command such as `python -m pytest -q`; put the character in single quotes if it belongs to an argument.',
  });
}

function unreadable({ command, why }: { command: string; why: string }): InputError {
  return new InputError({
    code: 'TG-I14',
    what: `The test command cannot be read, ${why}: ${command}`,
    meaning: 'Nothing was started.',
    fix: 'Check the quotes.',
  });
}
