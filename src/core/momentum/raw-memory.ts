import type { FailedUpdate } from '../failure-memory.js';

/** The failure memory as it would be shown without mining: every failed update in full. Empty for an empty memory. */
export function rawMemoryText(memory: readonly FailedUpdate[]): string {
  return memory.map(updateText).join('\n\n');
}

function updateText(update: FailedUpdate): string {
  return [
    `Update ${update.step} (${update.kind}): ${update.reason}`,
    `Direction: ${update.direction}`,
    ...update.tests.map((test) => `${test.file}::${test.name}\n${test.source}`),
    ...update.deleted.map((name) => `Deleted ${name}`),
  ].join('\n');
}
