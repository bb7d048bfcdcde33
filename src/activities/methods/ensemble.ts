import { ensemble } from '../../methods/augment/ensemble.js';
import { ensembleMessages } from '../../methods/augment/prompt.js';
import type { AskEnsembleInput, MethodActivities } from '../method-contract.js';
import type { Services } from '../services.js';
import { askOf, givenPatches, issueOf, putAsked } from './ask.js';

/** Augment's one call, on the patches as they were given. */
export async function askEnsemble({
  services,
  input,
}: {
  services: Services;
  input: AskEnsembleInput;
}): ReturnType<MethodActivities['askEnsemble']> {
  const issue = await issueOf({ services, input });
  const diffs = await givenPatches({ services, input, ids: input.order });
  const ask = askOf({ services, run: input, step: 0, turn: 1 });
  const { number, answer } = await ensemble({ issue, diffs, ask });
  const messages = ensembleMessages({ issue, diffs });
  return { number, conversation: await putAsked({ services, messages, answer }), usage: answer.usage };
}
