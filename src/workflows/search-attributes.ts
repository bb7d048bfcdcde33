import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';
import type { DecisionKind } from '../core/decision.js';
import type { Progress } from '../core/progress.js';
import { SEARCH_ATTRIBUTES } from '../core/search-attributes.js';

const phaseKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.phase.name, SEARCH_ATTRIBUTES.phase.type);
const decisionKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.decision.name, SEARCH_ATTRIBUTES.decision.type);
const iterationKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.iteration.name, SEARCH_ATTRIBUTES.iteration.type);
const tokensKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.tokens.name, SEARCH_ATTRIBUTES.tokens.type);
const costKey = defineSearchAttributeKey(SEARCH_ATTRIBUTES.costUsd.name, SEARCH_ATTRIBUTES.costUsd.type);

/** The attributes that change while a run goes on; those that stay are set at its start. */
export function searchAttributePairs({
  progress,
  decision,
}: {
  progress: Progress;
  decision?: DecisionKind;
}): SearchAttributePair[] {
  return [
    { key: phaseKey, value: progress.phase },
    { key: iterationKey, value: progress.step },
    { key: tokensKey, value: progress.tokens },
    ...(progress.usd === null ? [] : [{ key: costKey, value: progress.usd }]),
    ...(decision === undefined ? [] : [{ key: decisionKey, value: decision }]),
  ];
}
