import type { FailedUpdate } from '../core/failure-memory.js';
import type { Suite } from '../core/suite.js';
import { materialisedBase } from './base-files.js';
import type { RememberFailureInput } from './contract.js';
import { getDocument, getInstance, type Prepared } from './documents.js';
import { inventoryOf } from './inventory.js';
import type { Services } from './services.js';

const ITEMS_AT_MOST = 8;

/**
 * Where to go instead: pieces of the repository's testing knowledge that no failed update has used, those that the
 * issue names first, then the most used ones.
 */
export async function steerOf({
  services,
  input,
  memory,
}: {
  services: Services;
  input: RememberFailureInput;
  memory: readonly FailedUpdate[];
}): Promise<string[]> {
  const { store } = services;
  const [instance, prepared] = await Promise.all([
    getInstance({ store, ref: input.instance }),
    getDocument<Prepared>({ store, ref: input.prepared }),
  ]);
  const base = await materialisedBase({ services, instance });
  const paths = prepared.testFiles.map(({ path }) => path);
  const original: Suite = { schema: 'testgrad.suite/1', step: 0, edits: [], files: {}, changed: [], testFiles: paths };
  const { entries } = await inventoryOf({ services, prepared, suite: original, base });
  const used = memory.flatMap(({ tests }) => tests.map(({ source }) => source)).join('\n');
  // Bare values say nothing about where to go.
  const named = entries.filter(
    ({ aspect, symbol }) =>
      aspect !== 'expected-value' && /[A-Za-z_]{3}/.test(symbol) && !prepared.probeModules.includes(symbol),
  );
  const fresh = named.filter(({ symbol }) => !mentions({ text: used, symbol }));
  const inIssue = (symbol: string): number => (mentions({ text: instance.issue, symbol }) ? 1 : 0);
  const ranked = [...fresh].sort(
    (a, b) => inIssue(b.symbol) - inIssue(a.symbol) || b.count - a.count || (a.symbol < b.symbol ? -1 : 1),
  );
  return [...new Set(ranked.map(({ symbol }) => symbol))].slice(0, ITEMS_AT_MOST);
}

/** Whether a text uses a symbol, by the last part of its name as a word. */
function mentions({ text, symbol }: { text: string; symbol: string }): boolean {
  const name = symbol.match(/[A-Za-z_]\w*(?=\W*$)/)?.[0];
  return name === undefined ? text.includes(symbol) : new RegExp(`\\b${name}\\b`).test(text);
}
