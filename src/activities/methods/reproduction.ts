import { putText } from '../../artifacts/values.js';
import {
  REPRODUCTION_FILE,
  type ReproductionVerdict,
  verdictOf,
  writeReproduction as write,
} from '../../methods/agentless/reproduction.js';
import type { MethodActivities, RunReproductionInput, WriteReproductionInput } from '../method-contract.js';
import type { Services } from '../services.js';
import { askOf, issueOf, putAsked } from './ask.js';
import { runInTree } from './in-tree.js';

const MAX_OUTPUT_BYTES = 1024 * 1024;

/** One call for a reproduction test. */
export async function writeReproduction({
  services,
  input,
}: {
  services: Services;
  input: WriteReproductionInput;
}): ReturnType<MethodActivities['writeReproduction']> {
  const { sample, temperature } = input;
  const { script, messages, answer } = await write({
    issue: await issueOf({ services, input }),
    sample,
    temperature,
    ask: askOf({ services, run: input, step: 1, turn: sample + 1 }),
  });
  return {
    script: script === null ? null : await putText({ store: services.store, text: script, mediaType: 'text/x-python' }),
    conversation: await putAsked({ services, messages, answer }),
    usage: answer.usage,
  };
}

/** Runs a reproduction test at the root of a column's tree; one that could not be run says nothing. */
export async function runReproduction({
  services,
  input,
}: {
  services: Services;
  input: RunReproductionInput;
}): Promise<ReproductionVerdict> {
  const verdict = await runInTree({
    services,
    input,
    column: input.column,
    files: { [REPRODUCTION_FILE]: input.script },
    argv: ({ environment }) => [environment.python, REPRODUCTION_FILE],
    maxOutputBytes: MAX_OUTPUT_BYTES,
    look: async ({ result }) => verdictOf(`${result.stdout}\n${result.stderr}`),
  });
  return verdict ?? 'unclear';
}
