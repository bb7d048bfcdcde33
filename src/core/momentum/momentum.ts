import type { FailedSuite, FailedUpdate, Momentum } from '../failure-memory.js';
import { mineMomentum } from './mine.js';
import { rawMemoryText } from './raw-memory.js';
import { renderMomentum } from './render.js';

/**
 * m_t of a failure memory: mined, rendered and measured.
 *
 * `suites` and `abstractedSuites` are the parsed updates in the memory's order. See {@link mineMomentum} and
 * {@link renderMomentum} for the rest.
 */
export function momentumOf({
  memory,
  suites,
  abstractedSuites,
  minSupport,
  steer,
  focus,
  countTokens,
}: {
  memory: readonly FailedUpdate[];
  suites: readonly FailedSuite[];
  abstractedSuites: readonly FailedSuite[];
  minSupport: number;
  steer: readonly string[];
  focus: readonly string[];
  countTokens: (text: string) => number;
}): Momentum {
  const mined = mineMomentum({ suites, abstractedSuites, minSupport });
  const { abstractedLiterals } = mined;
  const text = renderMomentum({
    memory,
    suites: abstractedLiterals ? abstractedSuites : suites,
    patterns: mined.patterns,
    minSupport,
    steer,
    focus: new Set(focus),
    countTokens,
    abstractedLiterals,
  });
  return {
    schema: 'testgrad.momentum/1',
    failedUpdates: memory.length,
    minSupport,
    ...mined,
    text,
    tokens: countTokens(text),
    rawTokens: countTokens(rawMemoryText(memory)),
  };
}
