import type { OptionGroup, OptionSpec } from '../option-spec.js';
import { OPTIONS, type OptionName } from '../options.js';

/** An option that the configuration file may set. */
export interface ConfigKey {
  /** The flag without its dashes. */
  readonly key: string;
  readonly name: OptionName;
  readonly spec: OptionSpec;
}

const SETTINGS: readonly OptionGroup[] = ['Tests', 'Search', 'Server'];

/** Every key of the configuration file, in the order of the options table. */
export const CONFIG_KEYS: readonly ConfigKey[] = (Object.entries(OPTIONS) as [OptionName, OptionSpec][])
  .filter(([, { file, group }]) => file ?? SETTINGS.includes(group))
  .map(([name, spec]) => ({ key: spec.flag.slice(2), name, spec }));
