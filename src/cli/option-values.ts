import { InputError } from '../errors.js';
import type { OptionSpec } from './option-spec.js';
import { OPTIONS, type OptionName } from './options.js';

/** What the command line and the environment say, checked against the table. Flags win over the environment. */
export interface OptionValues {
  /** Undefined when neither a flag nor the environment says anything; defaults are the caller's. */
  text(name: OptionName): string | undefined;
  texts(name: OptionName): readonly string[];
  /** Counts and seconds. */
  count(name: OptionName): number | undefined;
  on(name: OptionName): boolean;
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
 * Reads what commander parsed (`flags`, by option name) and the environment.
 * Throws TG-I14 at once for any value that does not fit the table.
 */
export function readOptionValues({
  names,
  flags,
  env,
}: {
  /** Options of the verb. */
  names: readonly OptionName[];
  flags: Readonly<Record<string, unknown>>;
  env: NodeJS.ProcessEnv;
}): OptionValues {
  const texts = new Map<OptionName, readonly string[]>();
  const counts = new Map<OptionName, number>();
  const on = new Set<OptionName>();
  for (const name of names) {
    const spec = specOf(name);
    const flag = flags[name];
    const variable = spec.env === undefined ? undefined : env[spec.env]?.trim();
    const fromFlag = flag !== undefined;
    const from = fromFlag ? spec.flag : (spec.env ?? '');
    const given = fromFlag ? flag : variable === '' ? undefined : variable;
    if (given === undefined) {
      continue;
    }
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
  };
}
