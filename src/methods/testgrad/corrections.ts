/** What to tell a model that answered without calling a tool. */
export function noCallMessage(tools: readonly string[]): string {
  return `Your answer called no tool, so nothing happened. Call one of: ${tools.join(', ')}.`;
}

/** What to tell a model whose answer was cut at its output limit. */
export function cutMessage(maxOutputTokens: number): string {
  return `Your answer was cut at ${maxOutputTokens} output tokens, so it was not used. Write a shorter one: fewer operations, no commentary.`;
}

/** What to tell an optimizer whose turns are used up. */
export const LAST_TURN_MESSAGE =
  'Your turns for reading are used up. Submit the update now with `submit_update`, with what you know.';

/** What to tell an optimizer whose submission was refused. */
export function refusedMessage(refusals: readonly string[]): string {
  return [
    'The update was not applied:',
    ...refusals.map((refusal) => `- ${refusal}`),
    'Correct this and submit again.',
  ].join('\n');
}
