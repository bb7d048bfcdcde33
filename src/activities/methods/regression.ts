import type { CandidateOutcomes } from '../../core/outcome.js';
import { countTokens } from '../../llm/tokens.js';
import { passedTests, regressionsIn } from '../../methods/agentless/outcomes.js';
import { pruneTests as prune } from '../../methods/agentless/prune.js';
import { getDocument, putDocument } from '../documents.js';
import type {
  CountRegressionsInput,
  MethodActivities,
  PruneTestsInput,
  RegressionTestsInput,
} from '../method-contract.js';
import type { Services } from '../services.js';
import { askOf, issueOf, putAsked } from './ask.js';

const NAMED_AT_MOST = 5;
const NAME_CHARS = 200;

/** The tests that pass on a column, as a document. */
export async function regressionTests({
  services,
  input,
}: {
  services: Services;
  input: RegressionTestsInput;
}): ReturnType<MethodActivities['regressionTests']> {
  const { store } = services;
  const tests = passedTests(await getDocument<CandidateOutcomes>({ store, ref: input.outcomes }));
  return { tests: await putDocument({ store, value: tests }), count: tests.length };
}

/** The one call that takes away tests which a fix may rightly break. */
export async function pruneTests({
  services,
  input,
}: {
  services: Services;
  input: PruneTestsInput;
}): ReturnType<MethodActivities['pruneTests']> {
  const { store } = services;
  const { remaining, usage, asked } = await prune({
    issue: await issueOf({ services, input }),
    tests: await getDocument<string[]>({ store, ref: input.tests }),
    ask: askOf({ services, run: input, step: 0, turn: 1 }),
    countTokens,
  });
  if (asked === null) throw new Error('There is no test to prune.');
  return {
    tests: await putDocument({ store, value: remaining }),
    count: remaining.length,
    conversation: await putAsked({ services, ...asked }),
    usage,
  };
}

/** The regression tests that a run fails. */
export async function countRegressions({
  services,
  input,
}: {
  services: Services;
  input: CountRegressionsInput;
}): ReturnType<MethodActivities['countRegressions']> {
  const { store } = services;
  const [run, tests] = await Promise.all([
    getDocument<CandidateOutcomes>({ store, ref: input.outcomes }),
    getDocument<string[]>({ store, ref: input.tests }),
  ]);
  const failed = regressionsIn({ run, tests });
  return { failed: failed.length, named: failed.slice(0, NAMED_AT_MOST).map((name) => name.slice(0, NAME_CHARS)) };
}
