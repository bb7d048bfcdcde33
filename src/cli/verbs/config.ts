import { InputError } from '../../errors.js';
import { cut, fill, widthOf } from '../../report/columns.js';
import { safeLine } from '../../report/safe-text.js';
import { CONFIG_KEYS } from '../config/config-keys.js';
import { configJsonSchema } from '../config/config-schema.js';
import { loadConfig } from '../config/load-config.js';
import type { Invocation } from '../invocation.js';
import { readOptionValues } from '../option-values.js';

/** A setting as `config show` tells it. */
interface ShownSetting {
  readonly key: string;
  /** Null where the default is computed or nothing is set. */
  readonly value: string | number | boolean | readonly string[] | null;
  /** `default`, a variable, or a line of the file. */
  readonly source: string;
}

/** `testgrad config show|schema`: every setting with its value and source, or the JSON Schema of the file. */
export async function config(invocation: Invocation): Promise<number> {
  const { argument, terminal } = invocation;
  if (argument === 'schema') {
    terminal.json(configJsonSchema());
    return 0;
  }
  if (argument === 'show') return show(invocation);
  throw new InputError({
    code: 'TG-I14',
    what: `config ${JSON.stringify(argument)}: must be show or schema.`,
    meaning: 'Nothing was started.',
    fix: 'testgrad config show tells every setting, testgrad config schema the form of the file.',
  });
}

async function show({ terminal, values, env, cwd }: Invocation): Promise<number> {
  const file = await loadConfig({ named: values.text('config'), folder: values.text('repo'), cwd });
  const names = CONFIG_KEYS.map(({ name }) => name);
  const read = readOptionValues({ names, flags: {}, env, file: file?.values ?? new Map() });
  const settings = CONFIG_KEYS.map(({ key, name, spec }): ShownSetting => {
    const source = read.source(name);
    if (source === null) return { key, value: spec.default ?? null, source: 'default' };
    const value =
      spec.type === 'switch'
        ? read.on(name)
        : spec.type === 'texts'
          ? read.texts(name)
          : (read.count(name) ?? read.text(name) ?? null);
    return { key, value, source };
  });
  if (values.on('json')) {
    terminal.json({ schema: 'testgrad.config-show/1', file: file?.path ?? null, settings });
    return 0;
  }
  terminal.note(file === null ? 'No testgrad.config.yaml; testgrad init writes one.' : file.path);
  const rows = settings.map(({ key, value, source }) => [key, safeLine([value ?? '-'].flat().join(', ')), source]);
  const widths = [0, 1].map((at) => Math.min(40, Math.max(...rows.map((row) => widthOf(row[at] ?? '')))));
  for (const [key = '', value = '', source = ''] of rows) {
    const line = `${fill({ text: key, columns: widths[0] ?? 0 })}  ${fill({ text: value, columns: widths[1] ?? 0 })}  ${source}`;
    terminal.out(cut({ text: line.trimEnd(), columns: terminal.columns }));
  }
  return 0;
}
