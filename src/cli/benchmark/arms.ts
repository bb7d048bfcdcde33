import { ABLATIONS, type Ablation, ablated } from '../../core/ablation.js';
import type { Arm, ComputedMethod, RunMethod } from '../../core/benchmark-plan.js';
import { type Preset, presetSettings, type Settings } from '../../core/settings.js';
import { InputError } from '../../errors.js';
import type { OptionValues } from '../option-values.js';

const RUN_METHODS = ['testgrad', 'augment', 'agentless', 'trae', 'pass-count'] as const satisfies readonly RunMethod[];
const COMPUTED = ['single', 'random', 'oracle', 'adversary'] as const satisfies readonly ComputedMethod[];

/** Words of a list that may be given in one flag or several. */
export const wordsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.split(',')).flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));

/**
 * The lines of the table, in the order given: methods, then ablations of TestGRAD. Throws TG-I14 for names that are none,
 * and when a model is needed and none is named.
 */
export function armsOf(values: OptionValues): Arm[] {
  const methods = wordsOf(values.texts('methods'));
  const ablations = wordsOf(values.texts('ablation')).flatMap((word) => (word === 'all' ? [...ABLATIONS] : [word]));
  const settings = benchmarkSettings(values);
  const arms = [
    ...(methods.length === 0 ? ['testgrad'] : methods).map((word) => methodArm({ word, settings })),
    ...ablations.map((word) => ablationArm({ word, settings })),
  ];
  if (settings.model === '' && arms.some((arm) => arm.kind === 'run' && arm.method !== 'pass-count')) throw noModel();
  return arms.filter((arm, index) => arms.findIndex(({ name }) => name === arm.name) === index);
}

function benchmarkSettings(values: OptionValues): Settings {
  const model = values.text('model') ?? '';
  const settings = presetSettings({ preset: (values.text('preset') ?? 'balanced') as Preset, model });
  return {
    ...settings,
    checkerModel: values.text('checkerModel') ?? settings.checkerModel,
    steps: values.count('steps') ?? settings.steps,
    seed: values.count('seed') ?? settings.seed,
    maxTokens: values.count('instanceTokens') ?? settings.maxTokens,
  };
}

function methodArm({ word, settings }: { word: string; settings: Settings }): Arm {
  const run = RUN_METHODS.find((name) => name === word);
  if (run === 'pass-count') {
    // It asks nobody, so that no model is part of its identity.
    const own = { ...settings, model: '', checkerModel: '', steps: 0 };
    return { kind: 'run', name: run, method: run, ablation: null, settings: own };
  }
  if (run !== undefined) return { kind: 'run', name: run, method: run, ablation: null, settings };
  const [, name = '', agent] = /^([a-z]+)(?::(\d+))?$/.exec(word) ?? [];
  const computed = COMPUTED.find((each) => each === name);
  if (computed === undefined || (agent !== undefined && computed !== 'single') || agent === '0') {
    throw unknown({ flag: '--methods', word, known: [...RUN_METHODS, 'single[:K]', 'random', 'oracle', 'adversary'] });
  }
  return { kind: 'computed', name: agent === undefined ? computed : `single-${agent}`, method: computed };
}

/** Index of the agent of `single` and `single-K`, from 0. */
export const singleIndex = (arm: string): number => Number(/^single-(\d+)$/.exec(arm)?.[1] ?? 1) - 1;

function ablationArm({ word, settings }: { word: string; settings: Settings }): Arm {
  const ablation = ABLATIONS.find((name): name is Ablation => name === word);
  if (ablation === undefined) throw unknown({ flag: '--ablation', word, known: [...ABLATIONS, 'all'] });
  const own = ablated({ settings, ablation });
  return { kind: 'run', name: `testgrad-${ablation}`, method: 'testgrad', ablation, settings: own };
}

function unknown({ flag, word, known }: { flag: string; word: string; known: readonly string[] }): InputError {
  return new InputError({
    code: 'TG-I14',
    what: `${flag} ${JSON.stringify(word)}: there is none of this name.`,
    meaning: 'Nothing was started.',
    fix: `One or several of ${known.join(', ')}.`,
  });
}

function noModel(): InputError {
  return new InputError({
    code: 'TG-I14',
    what: 'No model was named.',
    meaning: 'Methods other than pass-count ask a language model. Nothing was started.',
    fix: 'Name it as your endpoint does: --model NAME, or TESTGRAD_MODEL.',
  });
}
