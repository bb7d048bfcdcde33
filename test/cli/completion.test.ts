import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { completionScript, SHELLS } from '../../src/cli/completion.js';
import { optionsOf } from '../../src/cli/options.js';
import { VERBS } from '../../src/cli/verbs.js';

/** What bash offers after these words. */
function offered(...words: readonly string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `${completionScript('bash')}\nCOMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _testgrad; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

test('bash offers verbs, the flags of a verb, the values of a choice and fixed words', () => {
  expect(offered('testgrad', 're')).toEqual(VERBS.map(({ name }) => name).filter((name) => name.startsWith('re')));
  const flags = optionsOf('select').map(({ spec }) => spec.flag);
  expect(offered('testgrad', 'select', '--').filter((flag) => flag !== '--help')).toEqual(flags);
  expect(offered('testgrad', 'select', '--preset', '')).toEqual(['paper', 'balanced']);
  expect(offered('testgrad', 'config', 's')).toEqual(['show', 'schema']);
  expect(offered('testgrad', 'show', 'la')).toEqual(['last']);
});

test.each(SHELLS)('the script of %s names every verb and flag and is valid', (shell) => {
  const script = completionScript(shell);
  for (const { name } of VERBS) {
    expect(script).toContain(name);
    for (const { spec } of optionsOf(name)) {
      expect(script).toContain(shell === 'fish' ? `-l ${spec.flag.slice(2)}` : spec.flag);
    }
  }
  const checked = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' });
  // A shell that this machine lacks cannot say.
  if (checked.error === undefined)
    expect(checked).toMatchObject({ status: 0, stderr: expect.not.stringMatching(/error/) });
});
