import type { FailedSuite, FailedUpdate, FailureKind } from '../../../src/core/failure-memory.js';

/** A failed update of which only the kind and the reason matter. */
export const failed = (kind: FailureKind = 'uniform', reason = ''): FailedUpdate => ({
  step: 1,
  kind,
  reason,
  direction: '',
  tests: [],
  deleted: [],
});

/** A parsed update from its functions' statements; keys are the statements with local names and `text` made one. */
export function suite(...functions: readonly (readonly string[])[]): FailedSuite {
  return {
    step: 1,
    functions: functions.map((texts, index) => ({
      name: `test_${index}`,
      keys: texts.map((text) => text.replace(/\b(warn|warnings)\b/g, '<v0>')),
      texts,
    })),
  };
}

/** Words and signs as tokens: like a tokenizer, and simple enough to see through. */
export const countTokens = (text: string): number => text.match(/\w+|[^\s\w]/g)?.length ?? 0;
