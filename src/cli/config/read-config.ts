import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { InputError } from '../../errors.js';
import type { FileValues } from '../option-values.js';
import { OPTIONS } from '../options.js';
import { closeKeys } from './close-keys.js';
import { CONFIG_KEYS } from './config-keys.js';
import { CONFIG_SCHEMA } from './config-schema.js';

/** What a configuration file sets. */
export interface ConfigFile {
  readonly path: string;
  readonly values: FileValues;
}

/**
 * Reads a configuration file. Throws TG-I03 when it cannot be read, and TG-I13 with the line of every mistake: no YAML,
 * a key that there is not, a value that does not fit.
 */
export async function readConfig(path: string): Promise<ConfigFile> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new InputError({
      code: 'TG-I03',
      what: `The configuration file cannot be read: ${error.message}`,
      meaning: 'Nothing was started.',
      fix: 'Name another with --config, or none.',
      cause: error,
    });
  });
  return { path, values: parseConfig({ text, path }) };
}

/** {@link readConfig} of a text; relative paths of programs start from the folder of `path`. */
export function parseConfig({ text, path }: { text: string; path: string }): FileValues {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const name = basename(path);
  const at = (offset: number): string => `${name}:${lines.linePos(offset).line}`;
  if (document.errors.length > 0) {
    throw mistake(document.errors.map(({ pos, message }) => `${at(pos[0])} ${message.split('\n')[0]}`));
  }
  const root = document.contents;
  if (root === null) return new Map();
  if (!isMap(root)) throw mistake([`${name}: must be keys with values, such as steps: 8`]);
  const places = new Map(
    root.items.map(({ key }) => [
      isScalar(key) ? String(key.value) : '',
      at(isScalar(key) ? (key.range?.[0] ?? 0) : 0),
    ]),
  );
  const given = document.toJS() as Record<string, unknown>;
  const problems: string[] = [];
  for (const issue of CONFIG_SCHEMA.safeParse(given).error?.issues ?? []) {
    if (issue.code === 'unrecognized_keys')
      problems.push(...issue.keys.map((key) => unknownKey({ key, places, name })));
    else problems.push(badValue({ key: String(issue.path[0] ?? ''), places, name }));
  }
  if (problems.length > 0) throw mistake([...new Set(problems)]);
  return new Map(
    CONFIG_KEYS.flatMap(({ key, name: option, spec }) => {
      const value = given[key];
      if (value === undefined) return [];
      const from = `${places.get(key) ?? name} ${key}`;
      const isPath = option === 'dockerfile' || (option === 'python' && String(value).includes('/'));
      const shown = isPath ? resolve(dirname(path), String(value)) : value;
      return [[option, { value: spec.type === 'texts' ? [shown].flat().map(String) : shown, from }] as const];
    }),
  );
}

/** Flags that no file may set. */
const FLAG_ONLY = new Set(Object.values(OPTIONS).map(({ flag }) => flag.slice(2)));

interface Place {
  readonly key: string;
  readonly places: ReadonlyMap<string, string>;
  readonly name: string;
}

function unknownKey({ key, places, name }: Place): string {
  const at = `${places.get(key) ?? name} ${key}:`;
  if (FLAG_ONLY.has(key)) return `${at} only the flag --${key} or the environment may set it`;
  const close = closeKeys({ key, known: CONFIG_KEYS.map((each) => each.key) });
  return `${at} unknown key${close.length === 0 ? '' : `, did you mean ${close.join(' or ')}?`}`;
}

function badValue({ key, places, name }: Place): string {
  const spec = CONFIG_KEYS.find((each) => each.key === key)?.spec;
  const wanted =
    spec === undefined
      ? '1'
      : (spec.choices?.join(' or ') ??
        {
          switch: 'true or false',
          count: `a whole number, at least ${spec.min ?? 1}`,
          seconds: `a whole number of seconds, at least ${spec.min ?? 1}`,
          texts: 'a text or a list of texts',
          text: 'a text',
          choice: 'a text',
        }[spec.type]);
  return `${places.get(key) ?? name} ${key}: must be ${wanted}`;
}

function mistake(problems: readonly string[]): InputError {
  return new InputError({
    code: 'TG-I13',
    what: problems.join('\n'),
    meaning: 'Nothing was started.',
    fix: 'testgrad config schema describes the file; testgrad help select explains the keys, which are its flags.',
  });
}
