import { expect, test } from 'vitest';
import type { OptionSpec } from '../../src/cli/option-spec.js';
import { readOptionValues } from '../../src/cli/option-values.js';
import { COMMON_OPTIONS, OPTIONS, type OptionName, optionsOf } from '../../src/cli/options.js';
import { buildProgram, describeOption, flagsOf } from '../../src/cli/program.js';
import { VERBS } from '../../src/cli/verbs.js';

const table = Object.entries(OPTIONS) as [OptionName, OptionSpec][];
const program = buildProgram({ onAction: async () => undefined, helpColumns: 100 });
const helpOf = (verb: string | null): string => {
  let text = '';
  const command = verb === null ? program : program.commands.find((each) => each.name() === verb);
  command?.configureOutput({
    writeOut: (chunk) => {
      text += chunk;
    },
  });
  command?.outputHelp();
  return text;
};

test('every option of the table stands in the help of its verbs with its environment and default, and nowhere else', () => {
  for (const { name: verb } of VERBS) {
    const help = helpOf(verb).replace(/\s+/g, ' ');
    for (const [name, spec] of table) {
      if (spec.common) {
        expect(help, name).toMatch(new RegExp(`\\(every verb has .*${spec.flag}[,:]`));
        continue;
      }
      const shown = new RegExp(`${spec.flag}( |$)`).test(help);
      expect(shown, `${spec.flag} in the help of ${verb}`).toBe(optionsOf(verb).some((option) => option.name === name));
      if (!shown) continue;
      expect(help, name).toContain(spec.description);
      if (spec.env !== undefined) expect(help, name).toContain(`env: ${spec.env}`);
      if (spec.default !== undefined) expect(help, name).toContain(`default: ${spec.default}`);
    }
  }
});

test('what every verb has stands in the help of the program', () => {
  const help = helpOf(null);
  for (const spec of COMMON_OPTIONS) expect(help).toContain(`${flagsOf(spec)}\n      ${describeOption(spec)}`);
  expect(COMMON_OPTIONS.map(({ flag }) => flag)).toContain('--config');
  for (const { verbs } of COMMON_OPTIONS) expect([...verbs].sort()).toEqual(VERBS.map(({ name }) => name).sort());
});

test('the help of every verb is shorter than 60 lines, has an example and no line wider than the terminal', () => {
  for (const { name } of VERBS) {
    const lines = helpOf(name).trimEnd().split('\n');
    expect(lines.length, name).toBeLessThan(60);
    expect(lines.join('\n'), name).toMatch(/Examples:\n {2}.*testgrad /);
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100);
  }
});

test('flags and variables are unique, and every option belongs to a verb', () => {
  const flags = table.map(([, spec]) => spec.flag);
  const variables = table.flatMap(([, spec]) => (spec.env === undefined ? [] : [spec.env]));
  expect(new Set(flags).size).toBe(flags.length);
  expect(new Set(variables).size).toBe(variables.length);
  expect(table.filter(([, spec]) => spec.verbs.length === 0)).toEqual([]);
});

/** Parses a command line as the program does and returns what the verb would get. */
async function parsed(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const calls: { verb: string; values: ReturnType<typeof readOptionValues>; argument: string | undefined }[] = [];
  const fresh = buildProgram({
    helpColumns: 100,
    onAction: async ({ verb, flags, argument }) => {
      const names = optionsOf(verb.name).map(({ name }) => name);
      calls.push({ verb: verb.name, values: readOptionValues({ names, flags, env }), argument });
    },
  });
  await fresh.parseAsync(argv, { from: 'user' });
  const [call] = calls;
  if (call === undefined) throw new Error('no verb was called');
  return call;
}

test('flags win over the environment, and the environment over nothing', async () => {
  const env = { TESTGRAD_MODEL: 'from-env', TESTGRAD_HOME: '/env' };
  expect((await parsed(['select'], env)).values.text('model')).toBe('from-env');
  expect((await parsed(['select', '--model', 'from-flag'], env)).values.text('model')).toBe('from-flag');
  expect((await parsed(['select'], { TESTGRAD_MODEL: ' ' })).values.text('model')).toBeUndefined();
  expect((await parsed(['status', 'last', '--home', '/flag'], env)).values.text('home')).toBe('/flag');
});

test('repeated flags are kept in order, switches are off unless given', async () => {
  const { values } = await parsed(['select', '--patch', 'b=2.diff', '--patch', 'a=1.diff', '--json']);
  expect(values.texts('patch')).toEqual(['b=2.diff', 'a=1.diff']);
  expect(values.texts('branch')).toEqual([]);
  expect([values.on('json'), values.on('detach')]).toEqual([true, false]);
});

for (const [flag, value] of [
  ['--steps', '-1'],
  ['--steps', '1.5'],
  ['--min-support', '0'],
  ['--timeout', '5m'],
  ['--max-tokens', ''],
  ['--preset', 'fast'],
  ['--sandbox', 'docker'],
  ['--model', ''],
] as const) {
  test(`${flag} ${JSON.stringify(value)} is refused with the flag's name and what it takes`, async () => {
    await expect(parsed(['select', flag, value])).rejects.toMatchObject({ code: 'TG-I14' });
    await expect(parsed(['select', flag, value])).rejects.toThrow(flag);
  });
}

test('zero steps are a value of their own', async () => {
  expect((await parsed(['select', '--steps', '0'])).values.count('steps')).toBe(0);
});
