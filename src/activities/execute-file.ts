import type { FileOutcome } from '../core/outcome.js';
import type { SandboxError } from '../errors.js';
import { MACHINE, sandboxBroke } from './broken-sandbox.js';
import { blameDisk, speaksOfFullDisk } from './disk-room.js';
import { getDocument, putDocument } from './documents.js';
import { outcomeKey } from './outcome-key.js';
import { executionId } from './owner.js';
import { type FileRun, type RanFile, runFile } from './run-file.js';

/** A test file whose outcome is known. */
export interface ExecutedFile {
  readonly outcome: FileOutcome;
  /** True when it came from the store. */
  readonly reused: boolean;
  /** Keeps the outcome for good and gives the one that counts: of two executions at one time it is the first one's. */
  readonly keep: () => Promise<FileOutcome>;
}

/**
 * One test file on one column: from the store when it is known, else executed in a sandbox of its own and stored.
 *
 * Throws SandboxError TG-S09 when our side broke, TG-E03 when the disk is full, TG-E01 when Docker is away: nothing is
 * held against a candidate then.
 */
export async function executeFile(input: FileRun): Promise<Pick<ExecutedFile, 'outcome' | 'reused'>> {
  const { keep, reused } = await executeUnkept(input);
  return { outcome: await keep(), reused };
}

/**
 * As {@link executeFile}, but stores nothing before `keep` is called: for outcomes that may turn out to say more about
 * the environment than about the tests.
 *
 * What the base's first execution shows when the machine may have had a part in it holds for this execution of the
 * workflow only: a machine that was busy or short of memory must not make the base fail for ever.
 */
export async function executeUnkept(input: FileRun): Promise<ExecutedFile> {
  const { store } = input.services;
  const key = await outcomeKey(input);
  const lasting = { kind: 'file-outcome', key };
  const passing = { kind: 'passing-outcome', key: `${key}-${executionId(input.owner)}` };
  const isBase = input.treeId === input.instance.repository.treeId && input.rerun === 0;
  const known = (await store.lookup(lasting)) ?? (isBase ? await store.lookup(passing) : undefined);
  if (known !== undefined) {
    const outcome = await getDocument<FileOutcome>({ store, ref: known });
    return { outcome, reused: true, keep: async () => outcome };
  }
  const first = await runWithRoom(input);
  const { outcome, mayPass } = speaksOfFullDisk(first.outcome) ? await runWithRoom(input) : first;
  if (outcome.state === 'infra') throw brokenSandbox(outcome);
  const bind = async (): Promise<FileOutcome> => {
    const name = isBase && mayPass ? passing : lasting;
    const { ref, created } = await store.bind({ ...name, ref: await putDocument({ store, value: outcome }) });
    return created ? outcome : getDocument<FileOutcome>({ store, ref });
  };
  let kept: Promise<FileOutcome> | undefined;
  const keep = (): Promise<FileOutcome> => {
    kept ??= bind();
    return kept;
  };
  return { outcome, reused: false, keep };
}

async function runWithRoom(input: FileRun): Promise<RanFile> {
  const ran = await runFile(input);
  await blameDisk({ outcome: ran.outcome, dir: input.services.home });
  return ran;
}

const brokenSandbox = ({ file, reason }: FileOutcome): SandboxError =>
  sandboxBroke({ what: `The sandbox for ${file} broke: ${reason}`, lookAt: MACHINE });
