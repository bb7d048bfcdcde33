import picocolors from 'picocolors';
import { exitCodeOf, TestgradError } from '../../errors.js';
import { wrap } from '../../report/columns.js';
import { safeLine } from '../../report/safe-text.js';
import { askAll, type Check } from '../doctor/check.js';
import { machineQuestions } from '../doctor/machine.js';
import { modelQuestion } from '../doctor/model.js';
import { temporalQuestions } from '../doctor/temporal.js';
import type { Invocation } from '../invocation.js';
import { homeFolder } from '../places.js';

const NAME_COLUMNS = 12;

/**
 * `testgrad doctor`: looks at everything that a run needs, within five seconds, and changes nothing. Resolves to 0 when
 * nothing failed, else to the exit code that a run would end with.
 */
export async function doctor(invocation: Invocation): Promise<number> {
  const { terminal, values } = invocation;
  const home = homeFolder(invocation);
  const checks = await askAll({
    questions: [
      ...machineQuestions({ invocation, home }),
      ...temporalQuestions({ invocation, home }),
      modelQuestion(invocation),
    ],
  });
  const failed = checks.filter(({ state }) => state === 'fail');
  if (values.on('json')) {
    terminal.json({ schema: 'testgrad.doctor/1', ok: failed.length === 0, checks });
  } else {
    for (const check of checks) terminal.out(linesOf({ check, columns: terminal.columns, colour: terminal.colour }));
    const warned = checks.filter(({ state }) => state === 'warn').length;
    terminal.out(`\n${checks.length} checks: ${failed.length} failed, ${warned} with a warning.`);
  }
  const [first] = failed;
  return first === undefined ? 0 : exitCodeOfCheck(first);
}

function exitCodeOfCheck({ code }: Check): number {
  return code === null ? 1 : exitCodeOf(new TestgradError({ code, what: '', meaning: '', fix: '' }));
}

function linesOf({ check, columns, colour }: { check: Check; columns: number; colour: boolean }): string {
  const colours = picocolors.createColors(colour);
  const paint = { ok: colours.green, warn: colours.yellow, fail: colours.red }[check.state];
  const indent = ' '.repeat(6 + NAME_COLUMNS);
  const block = (text: string): string[] =>
    wrap({ text: safeLine(text), columns: columns - indent.length }).map((line) => `${indent}${line}`);
  const code = check.code === null ? '' : `${check.code}  `;
  const [first = '', ...rest] = block(`${code}${check.says}`);
  const head = `${paint(check.state.padEnd(6))}${check.name.padEnd(NAME_COLUMNS)}${first.trimStart()}`;
  return [head, ...rest, ...(check.fix === '' ? [] : block(`Fix: ${check.fix}`))].join('\n');
}
