import { InputError } from '../../errors.js';
import type { PredictionSource } from './prediction.js';
import { readKnownResults } from './read-known-results.js';

/** What is known of a candidate being right. */
export type KnownResult = 'resolved' | 'unresolved' | 'unknown';

/** Looks up what is known; for scoring a finished run only, never for a selection. */
export interface KnownResults {
  readonly of: ({ agent, instanceId }: { agent: string; instanceId: string }) => KnownResult;
  /** Agents of which something is known. */
  readonly agents: ReadonlySet<string>;
}

/**
 * Reads known results, `NAME=PATH` each: NAME is an agent, or for files of several candidates a row what their names begin
 * with (`NAME-1`, …); for a file by agent its own names count. Memory holds one word an instance and agent.
 *
 * Throws TG-I03 for what cannot be read, TG-I07 for what holds no results, TG-I14 for names that are no agents.
 */
export async function collectKnownResults({
  sources,
  agents,
}: {
  sources: readonly PredictionSource[];
  /** Names of the run's agents. */
  agents: readonly string[];
}): Promise<KnownResults> {
  const table = new Map<string, { known: Map<string, KnownResult>; others: KnownResult }>();
  for (const source of sources) {
    const { entries, others } = await readKnownResults(source);
    for (const { agent, position, instanceId, result } of entries) {
      const name = agent ?? candidateName({ source, position, agents });
      if (!agents.includes(name)) {
        if (agent !== null) continue;
        throw strange({ source, name, agents });
      }
      const own = table.get(name) ?? { known: new Map<string, KnownResult>(), others };
      own.known.set(instanceId, result);
      table.set(name, own);
    }
    // A list of nothing but resolved instances says something even when it is empty.
    if (others !== 'unknown' && agents.includes(source.name) && !table.has(source.name)) {
      table.set(source.name, { known: new Map(), others });
    }
  }
  return {
    of: ({ agent, instanceId }) => {
      const own = table.get(agent);
      return own === undefined ? 'unknown' : (own.known.get(instanceId) ?? own.others);
    },
    agents: new Set(table.keys()),
  };
}

/** The name that predictions of the same file were given: without a number where there is one candidate only. */
function candidateName({
  source,
  position,
  agents,
}: {
  source: PredictionSource;
  position: number | null;
  agents: readonly string[];
}): string {
  const numbered = position === null ? null : `${source.name}-${position + 1}`;
  return numbered !== null && (agents.includes(numbered) || position !== 0) ? numbered : source.name;
}

function strange({
  source,
  name,
  agents,
}: {
  source: PredictionSource;
  name: string;
  agents: readonly string[];
}): InputError {
  return new InputError({
    code: 'TG-I14',
    what: `--results ${source.given}: no agent is called ${JSON.stringify(name)}.`,
    meaning: `The agents are ${agents.join(', ')}.`,
    fix: 'Give results the name of their predictions: --results NAME=PATH.',
  });
}
