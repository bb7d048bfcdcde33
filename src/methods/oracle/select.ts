import { NO_USAGE } from '../../core/usage.js';
import type { MethodInput, MethodResult } from '../method.js';

interface Known {
  readonly input: MethodInput;
  /** Whether each candidate resolves the issue under the hidden tests, in the candidates' order. */
  readonly resolved: readonly boolean[];
}

/** The first candidate that resolves the issue, else the first: the bound that no selection can exceed. */
export function selectByOracle({ input, resolved }: Known): MethodResult {
  return known({ method: 'oracle', input, index: resolved.indexOf(true), word: 'resolves' });
}

/** The first candidate that does not resolve the issue, else the first: the bound that none can fall below. */
export function selectByAdversary({ input, resolved }: Known): MethodResult {
  return known({ method: 'adversary', input, index: resolved.indexOf(false), word: 'does not resolve' });
}

function known({
  method,
  input,
  index,
  word,
}: {
  method: 'oracle' | 'adversary';
  input: MethodInput;
  index: number;
  word: string;
}): MethodResult {
  const first = input.candidates.length === 0 ? null : 0;
  return {
    method,
    index: index === -1 ? first : index,
    reason: index === -1 ? `No candidate ${word} the issue.` : `Known: it ${word} the issue.`,
    evidence: [],
    usage: NO_USAGE,
    fallback: null,
    conversations: [],
  };
}
