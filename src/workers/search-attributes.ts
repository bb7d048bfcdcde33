import type { Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { SEARCH_ATTRIBUTES, type SearchAttribute, type SearchAttributeType } from '../core/search-attributes.js';
import { TemporalError } from '../errors.js';

/** Typed keys of {@link SEARCH_ATTRIBUTES}, for starting workflows and for test servers. */
export const SEARCH_ATTRIBUTE_KEYS = {
  run: defineSearchAttributeKey(SEARCH_ATTRIBUTES.run.name, SEARCH_ATTRIBUTES.run.type),
  instance: defineSearchAttributeKey(SEARCH_ATTRIBUTES.instance.name, SEARCH_ATTRIBUTES.instance.type),
  repository: defineSearchAttributeKey(SEARCH_ATTRIBUTES.repository.name, SEARCH_ATTRIBUTES.repository.type),
  phase: defineSearchAttributeKey(SEARCH_ATTRIBUTES.phase.name, SEARCH_ATTRIBUTES.phase.type),
  decision: defineSearchAttributeKey(SEARCH_ATTRIBUTES.decision.name, SEARCH_ATTRIBUTES.decision.type),
  model: defineSearchAttributeKey(SEARCH_ATTRIBUTES.model.name, SEARCH_ATTRIBUTES.model.type),
  iteration: defineSearchAttributeKey(SEARCH_ATTRIBUTES.iteration.name, SEARCH_ATTRIBUTES.iteration.type),
  tokens: defineSearchAttributeKey(SEARCH_ATTRIBUTES.tokens.name, SEARCH_ATTRIBUTES.tokens.type),
  costUsd: defineSearchAttributeKey(SEARCH_ATTRIBUTES.costUsd.name, SEARCH_ATTRIBUTES.costUsd.type),
};

/** temporal.api.enums.v1.IndexedValueType. */
const INDEXED_VALUE_TYPE = { KEYWORD: 2, INT: 3, DOUBLE: 4 } as const satisfies Record<SearchAttributeType, number>;

/** The attributes as arguments of `temporal server start-dev`. */
export function searchAttributeArguments(): readonly string[] {
  const cliName = { KEYWORD: 'Keyword', INT: 'Int', DOUBLE: 'Double' } as const;
  return wanted().flatMap(({ name, type }) => ['--search-attribute', `${name}=${cliName[type]}`]);
}

/**
 * Search attributes that the namespace lacks or holds with another type; empty when a run may start. A workflow that
 * sets one of them would stall for ever.
 */
export async function missingSearchAttributes({
  connection,
  namespace,
}: {
  connection: Connection;
  namespace: string;
}): Promise<readonly SearchAttribute[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return wanted().filter(({ name, type }) => customAttributes?.[name] !== INDEXED_VALUE_TYPE[type]);
}

/**
 * Registers what is missing and waits until the namespace lists it. Throws TG-T04 when the server refuses, or when an
 * attribute exists with another type.
 */
export async function registerSearchAttributes({
  connection,
  namespace,
}: {
  connection: Connection;
  namespace: string;
}): Promise<void> {
  const missing = await missingSearchAttributes({ connection, namespace });
  if (missing.length === 0) return;
  let cause: unknown;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, INDEXED_VALUE_TYPE[type]])),
    });
  } catch (error) {
    // Someone else may have registered them meanwhile; the list decides.
    cause = error;
  }
  const left = await missingSearchAttributes({ connection, namespace });
  if (left.length > 0) throw searchAttributesMissing({ missing: left, namespace, cause });
}

/** TG-T04 with the commands that mend it. */
export function searchAttributesMissing({
  missing,
  namespace,
  cause,
}: {
  missing: readonly SearchAttribute[];
  namespace: string;
  cause?: unknown;
}): TemporalError {
  const names = missing.map(({ name, type }) => `${name} (${type.toLowerCase()})`).join(', ');
  return new TemporalError({
    code: 'TG-T04',
    what: `Temporal's namespace "${namespace}" lacks the search attributes ${names}.`,
    meaning: 'A run that sets them would stall, so none was started.',
    fix: `Ask whoever runs the server to create them: temporal operator search-attribute create --namespace ${namespace} ${missing
      .map(({ name, type }) => `--name ${name} --type ${type[0]}${type.slice(1).toLowerCase()}`)
      .join(' ')}`,
    cause,
  });
}

function wanted(): readonly SearchAttribute[] {
  return Object.values(SEARCH_ATTRIBUTES);
}
