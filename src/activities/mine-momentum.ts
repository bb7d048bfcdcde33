import { partsOf } from '../core/ablation.js';
import type { FailedUpdate } from '../core/failure-memory.js';
import type { Matrix } from '../core/matrix.js';
import { rawMemoryText } from '../core/momentum/raw-memory.js';
import type { Suite } from '../core/suite.js';
import type { MomentumResult, RememberFailureInput } from './contract.js';
import { getDocument, putDocument } from './documents.js';
import { mineOffThread } from './mining-host.js';
import type { Services } from './services.js';
import { steerOf } from './steer.js';

/**
 * Adds a failed update to the memory M and mines it: stage 3 of the method, m_t = Mine_β(M_{t-1} ‖ ∇_{t-1}).
 *
 * Without mining the text is the whole memory; its size and the mined one's are told all the same.
 *
 * The memory holds only the tests which that update created or changed, in their post-edit text.
 */
export async function mineMomentum({
  services,
  input,
}: {
  services: Services;
  input: RememberFailureInput;
}): Promise<MomentumResult> {
  const { store } = services;
  const earlier = await Promise.all(input.memory.map((ref) => getDocument<FailedUpdate>({ store, ref })));
  const failed = await failedUpdate({ services, input });
  const memory = [...earlier, failed];
  const { steer, focus } = await steerOf({ services, input, memory });
  const momentum = await mineOffThread({
    task: { memory, minSupport: input.settings.minSupport, steer, focus },
    stopping: services.stopping,
  });
  const isRaw = partsOf(input.settings).memory === 'raw';
  return {
    memory: [...input.memory, await putDocument({ store, value: failed })],
    momentum: await putDocument({ store, value: isRaw ? { ...momentum, text: rawMemoryText(memory) } : momentum }),
    tokens: momentum.tokens,
    rawTokens: momentum.rawTokens,
    patterns: momentum.patterns.length,
  };
}

async function failedUpdate({
  services,
  input,
}: {
  services: Services;
  input: RememberFailureInput;
}): Promise<FailedUpdate> {
  const { store } = services;
  const { step, direction } = input;
  const suite = input.suite === null ? null : await getDocument<Suite>({ store, ref: input.suite });
  const changed = suite?.changed.filter((each) => each.step === step) ?? [];
  const kept = changed.filter((each) => each.op !== 'delete');
  const matrix =
    input.matrix === null || suite === null ? null : await getDocument<Matrix>({ store, ref: input.matrix });
  const ran = matrix === null || kept.length === 0 ? null : describeEnd({ matrix, step });
  return {
    step,
    kind: ran?.kind ?? input.kind,
    reason: input.reason === '' ? (ran?.reason ?? '') : input.reason,
    direction,
    tests: kept.map(({ name, file, source }) => ({ name, file, source })),
    deleted: changed.filter((each) => each.op === 'delete').map(({ name }) => name),
  };
}

/** How the tests of an update ended: uniform with which outcomes, or not able to run anywhere. */
function describeEnd({ matrix, step }: { matrix: Matrix; step: number }): {
  kind: FailedUpdate['kind'];
  reason: string;
} {
  const rows = matrix.rows.filter((row) => row.step === step);
  const statuses = rows.flatMap((row) => Object.values(row.cells).map((cell) => cell.status));
  const broken = statuses.length > 0 && statuses.every((status) => status === 'error' || status === 'missing');
  if (rows.length === 0 || broken)
    return { kind: 'could-not-run', reason: 'Its tests could not run on any candidate.' };
  const counts = new Map<string, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  const ended = [...counts].map(([status, count]) => `${count} ${status}`).join(', ');
  return { kind: 'uniform', reason: `Its ${rows.length} rows ended ${ended}.` };
}
