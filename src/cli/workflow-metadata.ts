import type { ArtifactRef } from '../core/artifact.js';
import type { InstanceSpec } from '../core/instance.js';
import type { Settings } from '../core/settings.js';
import type { InstanceRunKind } from './run-identity.js';
import type { Session } from './session.js';

/** A workflow's summary: Temporal's pages show at most 200 bytes, so what is longer is cut between characters. */
export function summaryText(text: string): string {
  let kept = [...text];
  while (Buffer.byteLength(kept.join('')) > 190) kept = kept.slice(0, -1);
  return kept.length === [...text].length ? text : `${kept.join('')}...`;
}

/** What the run is about, for Temporal's pages: names, sizes and digests, never content. */
export function workflowDetails({
  instance,
  settings,
  kind,
}: {
  instance: InstanceSpec;
  settings: Settings;
  kind: InstanceRunKind;
}): string {
  const cell = (text: string): string => text.replace(/[|\r\n`]/g, ' ');
  return [
    // Temporal's pages leave no room between columns: a space that stays makes some.
    '| candidate\u00a0 | agent\u00a0 | patch\u00a0 | bytes |',
    '|---|---|---|---|',
    ...instance.candidates.map(
      ({ id, agent, patch }) =>
        `| ${id}\u00a0 | ${cell(agent)}\u00a0 | ${patch.digest.slice(0, 12)}\u00a0 | ${patch.bytes} |`,
    ),
    '',
    `Base ${instance.repository.baseCommit.slice(0, 12)} · ${instance.environment.runnerVersion} · Python ${instance.environment.pythonVersion} · sandbox ${instance.environment.sandbox}`,
    ...(kind === 'matrix'
      ? []
      : [
          `Model ${cell(settings.model)} · preset ${settings.preset} · at most ${settings.steps} steps and ${settings.maxTokens} tokens`,
        ]),
  ].join('\n');
}

/**
 * Whether a run may set search attributes: one that sets an unregistered attribute stalls, so that it goes without,
 * with a note, where the namespace lacks one or does not tell.
 */
export async function attributesPresent({
  session,
  note,
}: {
  session: Session;
  note: (line: string) => void;
}): Promise<boolean> {
  if (session.local) return true;
  const { missingSearchAttributes, searchAttributesMissing } = await import('../workers/search-attributes.js');
  const { connection } = session.connected;
  const { namespace } = session.target;
  try {
    const missing = await missingSearchAttributes({ connection, namespace });
    if (missing.length === 0) return true;
    const { what, fix } = searchAttributesMissing({ missing, namespace });
    note(`TG-T04  ${what} The run goes without them; lists cannot be filtered by them. ${fix}`);
  } catch {
    note('TG-T04  The server does not tell its search attributes; the run goes without them.');
  }
  return false;
}

/** The search attributes that a run has from its start. */
export async function typedAttributes({
  instance,
  instanceRef,
  settings,
  runId,
  session,
}: {
  instance: InstanceSpec;
  instanceRef: ArtifactRef;
  settings: Settings;
  runId: string;
  session: Session;
}) {
  const { SEARCH_ATTRIBUTE_KEYS: keys } = await import('../workers/search-attributes.js');
  const { digestOf } = await import('../artifacts/content-key.js');
  const { basename } = await import('node:path');
  const repository = basename(instance.repository.path);
  return [
    { key: keys.run, value: runId },
    { key: keys.instance, value: instanceRef.digest.slice(0, 12) },
    // Attributes are stored in the clear; on a server of others the name of a private repository stays private.
    { key: keys.repository, value: session.local ? repository : digestOf(repository).slice(0, 12) },
    ...(settings.model === '' ? [] : [{ key: keys.model, value: settings.model }]),
  ];
}
