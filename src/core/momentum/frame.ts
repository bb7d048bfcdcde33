import type { FailedUpdate, FailureKind } from '../failure-memory.js';
import { oneLine } from './one-line.js';

/** What momentum says besides the retained blocks. */
export interface Frame {
  /** Failed updates that gave no test to mine, by kind and count; empty when there are none. */
  readonly others: string;
  /** Where to go instead; empty when nothing is known. */
  readonly steer: string;
}

const OTHER_KINDS: readonly { readonly kind: FailureKind; readonly name: string }[] = [
  { kind: 'not-applied', name: 'not applied' },
  { kind: 'could-not-run', name: 'could not run' },
  { kind: 'no-update', name: 'without an update' },
];

const MAX_REASON_CHARS = 80;
const MAX_STEER_ITEMS = 5;
const MAX_STEER_CHARS = 60;

/** Frames from the one that says most to the empty one: steer items go first, from the last, then the reasons. */
export function framesOf({ memory, steer }: { memory: readonly FailedUpdate[]; steer: readonly string[] }): Frame[] {
  const items = steer
    .slice(0, MAX_STEER_ITEMS)
    .map((text) => oneLine({ text, maxChars: MAX_STEER_CHARS }))
    .filter((text) => text !== '');
  const [full, counted] = [otherReasons({ memory, withReason: true }), otherReasons({ memory, withReason: false })];
  const steers = items.map((_, dropped) => steerLine(items.slice(0, items.length - dropped)));
  return [
    ...steers.map((line) => ({ others: full, steer: line })),
    { others: full, steer: '' },
    { others: counted, steer: '' },
    { others: '', steer: '' },
  ];
}

const steerLine = (items: readonly string[]): string => `Not used by any of them, try instead: ${items.join('; ')}`;

function otherReasons({ memory, withReason }: { memory: readonly FailedUpdate[]; withReason: boolean }): string {
  const parts = OTHER_KINDS.flatMap(({ kind, name }) => {
    const updates = memory.filter((update) => update.kind === kind);
    const latest = oneLine({ text: updates.at(-1)?.reason ?? '', maxChars: MAX_REASON_CHARS });
    if (updates.length === 0) return [];
    return [withReason && latest !== '' ? `${updates.length} ${name} (${latest})` : `${updates.length} ${name}`];
  });
  return parts.length > 0 ? `Also failed: ${parts.join(', ')}` : '';
}
