import { InputError } from '../../errors.js';
import { completionScript, SHELLS, type Shell } from '../completion.js';
import type { Invocation } from '../invocation.js';

/** `testgrad completion SHELL`: a completion script made from the tables of verbs and options. */
export async function completion({ argument, terminal }: Invocation): Promise<number> {
  const shell = SHELLS.find((each): each is Shell => each === argument);
  if (shell === undefined) {
    throw new InputError({
      code: 'TG-I14',
      what: `There is no completion for ${JSON.stringify(argument)}.`,
      meaning: 'Nothing was printed.',
      fix: `Shells: ${SHELLS.join(', ')}.`,
    });
  }
  terminal.out(completionScript(shell));
  return 0;
}
