import type { Invocation } from '../../src/cli/invocation.js';
import { readOptionValues } from '../../src/cli/option-values.js';
import { optionsOf } from '../../src/cli/options.js';

/** Says nothing to anyone. */
export const QUIET_TERMINAL: Invocation['terminal'] = {
  out: () => undefined,
  json: () => undefined,
  note: () => undefined,
  columns: 80,
  colour: false,
  live: false,
};

/** A call of a verb that says nothing to anyone; `flags` are by option name, as the command line parses them. */
export function quietInvocation({
  verb,
  flags,
  env = {},
}: {
  verb: Parameters<typeof optionsOf>[0];
  flags: Readonly<Record<string, unknown>>;
  env?: NodeJS.ProcessEnv;
}): Invocation {
  const values = readOptionValues({ names: optionsOf(verb).map(({ name }) => name), flags, env: {} });
  return { values, argument: undefined, env, cwd: '/', terminal: QUIET_TERMINAL };
}
