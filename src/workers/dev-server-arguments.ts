import { searchAttributeArguments } from './search-attributes.js';

/**
 * How SQLite writes the database of a local server. A killed process loses nothing with either value. The log that is
 * written ahead and not synced at each commit costs a third of the processor time of SQLite's defaults; what it may
 * lose are the last moments of a history when the machine itself goes down: answers and outcomes are in the store by
 * then, so that what is asked for again is found there.
 */
const PRAGMAS = ['journal_mode=WAL', 'synchronous=NORMAL'];

/** Arguments of `temporal` for a local development server on a database file that lasts. */
export function devServerArguments({ database }: { database: string }): readonly string[] {
  const pragmas = PRAGMAS.flatMap((pragma) => ['--sqlite-pragma', pragma]);
  return ['server', 'start-dev', '--db-filename', database, ...pragmas, ...searchAttributeArguments()];
}
