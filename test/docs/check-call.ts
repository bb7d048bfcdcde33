import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { OptionSpec } from '../../src/cli/option-spec.js';
import { readOptionValues } from '../../src/cli/option-values.js';
import { OPTIONS, type OptionName, optionsOf } from '../../src/cli/options.js';
import { buildProgram } from '../../src/cli/program.js';
import { VERBS } from '../../src/cli/verbs.js';

const SPECS: readonly OptionSpec[] = Object.values(OPTIONS);
/** What a reader puts a value of their own in the place of. */
const PLACEHOLDER = /^(?:…|[A-Z][A-Z_]*|\[\w+\])$/;

/**
 * Holds a documented call against the command line: the verb, the options and the number of arguments are parsed as the
 * program parses them, and values are held against the table. A mention in a text may leave a required argument out.
 */
export function checkCall({ call, place }: { call: readonly string[]; place: string }): void {
  const [verb = '', ...rest] = withoutEllipses(call);
  if (verb === '' || verb === '--version' || verb === '--help') return;
  const spec = VERBS.find(({ name }) => name === verb);
  expect(spec, `${place}: testgrad has no verb ${verb}`).toBeDefined();
  let parsed: Record<string, unknown> | null = null;
  const program = buildProgram({
    helpColumns: 80,
    onAction: async ({ flags }) => {
      parsed = flags;
    },
  });
  try {
    program.parse([verb, ...rest], { from: 'user' });
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    if (code === 'commander.missingArgument' && rest.length === 0) return;
    expect.fail(`${place}: testgrad ${call.join(' ')}: ${message}`);
  }
  const names = optionsOf(spec?.name ?? 'select').map(({ name }) => name);
  const flags = Object.entries(parsed ?? {}).filter(([name, value]) => !isPlaceholder({ name, value }));
  expect(
    () => readOptionValues({ names, flags: Object.fromEntries(flags), env: {} }),
    `${place}: testgrad ${call.join(' ')}`,
  ).not.toThrow();
}

const isPlaceholder = ({ name, value }: { name: string; value: unknown }): boolean =>
  OPTIONS[name as OptionName].type !== 'texts' && PLACEHOLDER.test(String(value));

/** `…` stays only where an option needs a value. */
const withoutEllipses = (call: readonly string[]): string[] =>
  call.filter((word, index) => {
    const before = SPECS.find(({ flag, short }) => [flag, short].includes(call[index - 1] as never));
    return word !== '…' || (before !== undefined && before.value !== null);
  });

/** Holds npm scripts and files of this repository that a command names against what there is. */
export function checkPaths({ text, place, root }: { text: string; place: string; root: string }): void {
  const script = /\bnpm run (?:--silent )?([\w:.-]+)/.exec(text)?.[1];
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  if (script !== undefined) expect(Object.keys(scripts), `${place}: npm run ${script}`).toContain(script);
  for (const [, path = ''] of text.matchAll(
    /(?:"?\$TESTGRAD\/|(?<=\s)\.\/|(?<=\s))((?:scripts|bench|test|examples|src)\/[\w./-]+)/g,
  )) {
    expect(existsSync(join(root, path)), `${place}: ${path} is not there`).toBe(true);
  }
}
