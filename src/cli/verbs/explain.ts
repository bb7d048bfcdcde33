import { type ErrorCode, exitCodeOf, InputError, isRetryable, TestgradError, titleOf } from '../../errors.js';
import { EXPLANATIONS } from '../explanations.js';
import type { Invocation } from '../invocation.js';

const codes = (): ErrorCode[] => Object.keys(EXPLANATIONS) as ErrorCode[];

function entry(code: ErrorCode) {
  const error = new TestgradError({ code, what: '', meaning: '', fix: '' });
  return {
    code,
    title: titleOf(code) ?? '',
    exitCode: exitCodeOf(error),
    retried: isRetryable(error),
    explanation: EXPLANATIONS[code],
  };
}

/** `testgrad explain [CODE]`: what an error code means and what to do, or the list of all codes. */
export async function explain({ argument, values, terminal }: Invocation): Promise<number> {
  if (argument === undefined) {
    const all = codes().map(entry);
    if (values.on('json')) {
      terminal.json({ schema: 'testgrad.errors/1', errors: all });
    } else {
      terminal.out(all.map(({ code, title }) => `${code}  ${title}`).join('\n'));
    }
    return 0;
  }
  const code = codes().find((known) => known === argument.toUpperCase());
  if (code === undefined) {
    throw new InputError({
      code: 'TG-I14',
      what: `There is no error code ${argument}.`,
      meaning: 'Codes look like TG-I01.',
      fix: 'testgrad explain lists them all.',
    });
  }
  const found = entry(code);
  if (values.on('json')) {
    terminal.json({ schema: 'testgrad.error/1', ...found });
  } else {
    const retried = found.retried ? 'Runs repeat by themselves what failed with it.' : 'Runs do not repeat it.';
    terminal.out(`${code}  ${found.title}  (exit ${found.exitCode})\n\n${found.explanation}\n${retried}`);
  }
  return 0;
}
