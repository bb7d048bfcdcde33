import { existsSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { InputError } from '../../errors.js';
import type { PredictionSource } from './prediction.js';

/**
 * Takes `NAME=PATH` and `PATH` apart, in the order given, which is the order that N counts in. Without a name it is that of
 * the file or folder (of a folder for `all_preds.jsonl` and its like).
 *
 * Throws TG-I00 for none at all and TG-I14 for two of one name.
 */
export function predictionSources({ given, cwd }: { given: readonly string[]; cwd: string }): PredictionSource[] {
  if (given.length === 0) {
    throw new InputError({
      code: 'TG-I00',
      what: 'No predictions were given.',
      meaning: 'There is nothing to choose between. Nothing was started.',
      fix: 'Add them, an agent each: --preds first=a.jsonl --preds second=b.jsonl. Their order defines N.',
    });
  }
  const sources = given.map((text) => source({ text, cwd }));
  const names = sources.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return sources;
  throw new InputError({
    code: 'TG-I14',
    what: `Two sets of predictions are called ${JSON.stringify(twice)}.`,
    meaning: 'Reports name agents, so each needs a name of its own. Nothing was started.',
    fix: 'Name them: --preds first=PATH --preds second=PATH.',
  });
}

function source({ text, cwd }: { text: string; cwd: string }): PredictionSource {
  const at = text.indexOf('=');
  const isNamed = at > 0 && !text.slice(0, at).includes('/') && !existsSync(resolve(cwd, text));
  const path = resolve(cwd, isNamed ? text.slice(at + 1) : text);
  return { name: isNamed ? text.slice(0, at) : nameOf(path), path, given: text };
}

function nameOf(path: string): string {
  const file = basename(path, extname(path));
  return /^(all_)?pred(iction)?s$/.test(file) ? basename(resolve(path, '..')) : file;
}
