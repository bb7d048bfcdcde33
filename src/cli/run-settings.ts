import { type Preset, presetSettings, type Settings } from '../core/settings.js';
import { InputError } from '../errors.js';
import type { OptionValues } from './option-values.js';
import type { InstanceRunKind } from './run-identity.js';

/**
 * The settings of a run from the command line. A `matrix` asks no model, so that neither model nor steps are part of
 * its identity. Throws TG-I14 when select has no model.
 */
export function runSettings({ kind, values }: { kind: InstanceRunKind; values: OptionValues }): Settings {
  const model = values.text('model');
  if (kind === 'select' && model === undefined) {
    throw new InputError({
      code: 'TG-I14',
      what: 'No model was named.',
      meaning: 'select asks a language model to write tests. Nothing was started.',
      fix: 'Name it as your endpoint does: --model NAME, or TESTGRAD_MODEL. Without a model: testgrad matrix.',
    });
  }
  const preset = (values.text('preset') ?? 'balanced') as Preset;
  const settings = presetSettings({ preset, model: model ?? '' });
  return {
    ...settings,
    checkerModel: values.text('checkerModel') ?? settings.checkerModel,
    steps: kind === 'matrix' ? 0 : (values.count('steps') ?? settings.steps),
    minSupport: values.count('minSupport') ?? settings.minSupport,
    seed: values.count('seed') ?? settings.seed,
    maxTokens: values.count('maxTokens') ?? settings.maxTokens,
    contextTokens: values.count('contextTokens') ?? settings.contextTokens,
    reruns: values.count('reruns') ?? settings.reruns,
  };
}
