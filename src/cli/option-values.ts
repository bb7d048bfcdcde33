import { InputError } from '../errors.js';
import type { OptionSpec } from './option-spec.js';
import { OPTIONS, type OptionName } from './options.js';

/** What a configuration file says, by option: a value as the flag would have it (texts as a list), and its place. */
export type FileValues = ReadonlyMap<OptionName, { readonly value: unknown; readonly from: string }>;

/**
 * What the command line, the environment and the configuration file say, checked against the table. Flags win over the
 * environment, and that over the file.
 */
export interface OptionValues {
  /** Undefined when nothing says anything; defaults are the caller's. */
  text(name: OptionName): string | undefined;
  texts(name: OptionName): readonly string[];
  /** Counts and seconds. */
  count(name: OptionName): number | undefined;
  on(name: OptionName): boolean;
  /** The flag, the variable or the place in the file that says it; null when the default holds. */
  source(name: OptionName): string | null;
}

const specOf = (name: OptionName): OptionSpec => OPTIONS[name];

function badValue({
  name,
  from,
  value,
  fix,
}: {
  name: OptionName;
  from: string;
  value: string;
  fix: string;
}): InputError {
  return new InputError({
    code: 'TG-I14',
    what: `${from} ${JSON.stringify(value)}: ${fix}.`,
    meaning: 'Nothing was started.',
    fix: `${specOf(name).flag}: ${specOf(name).description}.`,
  });
}

function numberOf({ name, from, value }: { name: OptionName; from: string; value: string }): number {
  const { min = 1, type } = specOf(name);
  const parsed = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(parsed) || parsed < min) {
    const unit = type === 'seconds' ? ' of seconds' : '';
    throw badValue({ name, from, value, fix: `must be a whole number${unit}, at least ${min}` });
  }
  return parsed;
}

function textOf({ name, from, value }: { name: OptionName; from: string; value: string }): string {
  const { choices } = specOf(name);
  if (choices !== undefined && !choices.includes(value)) {
    throw badValue({ name, from, value, fix: `must be ${choices.join(' or ')}` });
  }
  if (value === '') {
    throw badValue({ name, from, value, fix: 'must not be empty' });
  }
  return value;
}

/**
 * Reads what commander parsed (`flags`, by option name), the environment and the configuration file.
 * Throws TG-I14 at once for any value that does not fit the table.
 */
export function readOptionValues({
  names,
  flags,
  env,
  file = new Map(),
}: {
  /** Options of the verb. */
  names: readonly OptionName[];
  flags: Readonly<Record<string, unknown>>;
  env: NodeJS.ProcessEnv;
  /** Default: none. */
  file?: FileValues;
}): OptionValues {
  const texts = new Map<OptionName, readonly string[]>();
  const counts = new Map<OptionName, number>();
  const on = new Set<OptionName>();
  const sources = new Map<OptionName, string>();
  for (const name of names) {
    const spec = specOf(name);
    const found = givenFor({ name, spec, flags, env, file });
    if (found === null) continue;
    const { given, from } = found;
    sources.set(name, from);
    if (spec.type === 'switch') {
      if (given === true) on.add(name);
    } else if (spec.type === 'texts') {
      texts.set(
        name,
        (given as readonly string[]).map((value) => textOf({ name, from, value })),
      );
    } else if (spec.type === 'count' || spec.type === 'seconds') {
      counts.set(name, numberOf({ name, from, value: String(given) }));
    } else {
      texts.set(name, [textOf({ name, from, value: String(given) })]);
    }
  }
  return {
    text: (name) => texts.get(name)?.[0],
    texts: (name) => texts.get(name) ?? [],
    count: (name) => counts.get(name),
    on: (name) => on.has(name),
    source: (name) => sources.get(name) ?? null,
  };
}

/** The first of flag, environment and file that says something. */
function givenFor({
  name,
  spec,
  flags,
  env,
  file,
}: {
  name: OptionName;
  spec: OptionSpec;
  flags: Readonly<Record<string, unknown>>;
  env: NodeJS.ProcessEnv;
  file: FileValues;
}): { readonly given: unknown; readonly from: string } | null {
  const flag = flags[name];
  if (flag !== undefined) return { given: flag, from: spec.flag };
  const variable = spec.env === undefined ? undefined : env[spec.env]?.trim();
  if (spec.env !== undefined && variable) return { given: variable, from: spec.env };
  const set = file.get(name);
  return set === undefined ? null : { given: set.value, from: set.from };
}
