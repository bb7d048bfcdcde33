import type { MethodRecord, RunContext } from '../activities/contract.js';
import type { ArtifactRef } from '../core/artifact.js';
import type { Settings } from '../core/settings.js';
import { eachTree } from '../methods/agentless/regression.js';
import { selectByAgentless } from '../methods/agentless/select.js';
import { selectByAugment } from '../methods/augment/select.js';
import type { MethodInput, MethodResult } from '../methods/method.js';
import { selectByPassCount } from '../methods/pass-count/select.js';
import { selectByTrae } from '../methods/trae/select.js';
import { activityCaller } from './activities.js';
import { type MethodPorts, methodPorts } from './method-ports.js';
import { release } from './release.js';

/** A method that asks a model or executes something. */
export type WorkedMethod = 'augment' | 'agentless' | 'trae' | 'pass-count';

export interface SelectByMethodInput {
  readonly runId: string;
  readonly method: WorkedMethod;
  /** An InstanceSpec. */
  readonly instance: ArtifactRef;
  /** Name of the instance, for people. */
  readonly name: string;
  readonly settings: Settings;
  /** Queue of the workers; families are derived from it. */
  readonly taskQueue: string;
}

/**
 * Selects one patch out of N by a method that TestGRAD is compared with, on the same candidates, tests, sandboxes and
 * model, and with the same accounting.
 */
export async function selectByMethod(input: SelectByMethodInput): Promise<MethodRecord> {
  const { runId, instance, settings, taskQueue, method } = input;
  const run: RunContext = { runId, instance, settings };
  const call = activityCaller({ taskQueue });
  try {
    const prepared = await call({ activity: 'prepareInstance', input: run, summary: 'prepare the instance' });
    const { candidates, suite, testFiles, tests, baseTreeId, warnings } = prepared;
    const ports = methodPorts({
      ...{ call, run, suite, testFiles, tests, baseTreeId, candidates },
      prepared: prepared.prepared,
      maxTokens: settings.maxTokens,
    });
    const subject: MethodInput = { instance: input.name, candidates };
    const result = await SELECT[method]({ input: subject, ports });
    const record = recordOf({ input, result, candidates, warnings });
    await call({
      activity: 'finishMethod',
      input: { ...run, record },
      summary: `result: ${record.selected ?? 'none'} (${method})`,
    });
    return record;
  } finally {
    await release({ call, run });
  }
}

interface Selection {
  readonly input: MethodInput;
  readonly ports: MethodPorts;
}

const SELECT: Readonly<Record<WorkedMethod, (selection: Selection) => Promise<MethodResult>>> = {
  augment: selectByAugment,
  agentless: selectByAgentless,
  trae: selectByTrae,
  'pass-count': countPasses,
};

/** The most passed tests of those that are there: no test is written, and no model asked. */
async function countPasses({ input, ports }: Selection): Promise<MethodResult> {
  const { candidates } = input;
  const counts = await eachTree({ candidates, run: (index) => ports.passCount({ index }) });
  const passCounts = Object.fromEntries([...counts].map(([index, count]) => [candidates[index]?.id ?? '', count]));
  return selectByPassCount({ input, passCounts });
}

function recordOf({
  input,
  result,
  candidates,
  warnings,
}: {
  input: SelectByMethodInput;
  result: MethodResult;
} & Pick<MethodRecord, 'candidates' | 'warnings'>): MethodRecord {
  const selected = result.index === null ? undefined : candidates[result.index];
  return {
    schema: 'testgrad.method/1',
    runId: input.runId,
    instance: input.name,
    method: result.method,
    selected: selected?.agent ?? null,
    selectedId: selected?.id ?? null,
    reason: result.reason,
    evidence: result.evidence.map(({ index, fact }) => ({ candidate: candidates[index]?.id ?? '', fact })),
    fallback: result.fallback,
    candidates,
    usage: result.usage,
    conversations: result.conversations,
    warnings,
  };
}
