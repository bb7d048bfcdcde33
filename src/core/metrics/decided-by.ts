import type { Decision } from '../decision.js';
import type { DecidedBy } from './record.js';

/**
 * How TestGRAD came to a decision, in the words of records. A choice that rests on several tests counts under the one that
 * cost least: an existing test, else an updated one, else a created one.
 */
export function decidedByOf({ kind, decidingTests }: Pick<Decision, 'kind' | 'decidingTests'>): DecidedBy {
  switch (kind) {
    case 'differential': {
      const origins = decidingTests.map(({ origin }) => origin);
      if (origins.includes('original')) return 'existing-test';
      return origins.includes('updated') ? 'updated-test' : origins.includes('created') ? 'created-test' : 'judge';
    }
    case 'equivalent':
      return 'equivalent';
    case 'single':
      return 'single-candidate';
    case 'fallback':
      return 'fallback';
    case 'none-acceptable':
    case 'no-candidate':
      return 'nothing';
  }
}
