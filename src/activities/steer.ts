import type { FailedUpdate } from '../core/failure-memory.js';
import { codeNames } from '../core/momentum/code-names.js';
import { rankSteer } from '../core/momentum/rank-steer.js';
import type { Suite } from '../core/suite.js';
import { materialisedBase } from './base-files.js';
import type { RememberFailureInput } from './contract.js';
import { getDocument, getInstance, type Prepared } from './documents.js';
import { inventoryOf } from './inventory.js';
import type { Services } from './services.js';

const NOTHING_TOUCHED = { paths: [], modules: [], symbols: [] };

/**
 * Where to go instead, and what it is about: pieces of the repository's testing knowledge that no failed update has used
 * ({@link rankSteer}), and the names that the issue or the candidates' changes speak of.
 */
export async function steerOf({
  services,
  input,
  memory,
}: {
  services: Services;
  input: RememberFailureInput;
  memory: readonly FailedUpdate[];
}): Promise<{ readonly steer: readonly string[]; readonly focus: readonly string[] }> {
  const { store } = services;
  const [instance, prepared] = await Promise.all([
    getInstance({ store, ref: input.instance }),
    getDocument<Prepared>({ store, ref: input.prepared }),
  ]);
  const base = await materialisedBase({ services, instance });
  const paths = prepared.testFiles.map(({ path }) => path);
  const original: Suite = { schema: 'testgrad.suite/1', step: 0, edits: [], files: {}, changed: [], testFiles: paths };
  const { entries } = await inventoryOf({ services, prepared, suite: original, base });
  const touched = prepared.touched ?? NOTHING_TOUCHED;
  const issueNames = codeNames(instance.issue);
  const used = memory.flatMap(({ tests }) => tests.map(({ source }) => source)).join('\n');
  return {
    steer: rankSteer({ candidates: entries, issueNames, touched, used }),
    focus: [...new Set([...issueNames, ...touched.symbols])].sort(),
  };
}
