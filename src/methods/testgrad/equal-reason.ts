/** Most characters of a reason that are kept. */
const MAX_CHARS = 600;

/**
 * Why the optimizer found the candidates in the lead equal, for people, who do not know the neutral labels that it
 * speaks of: what each label stands for comes first. Cut at a word's end.
 */
export function equalReason({
  reason,
  candidates,
}: {
  reason: string;
  candidates: readonly { readonly label: string; readonly agent: string }[];
}): string {
  const mentioned = candidates.filter(({ label }) => new RegExp(`\\b${label}\\b`).test(reason));
  const legend = mentioned.map(({ label, agent }) => `${label} is ${agent}`).join(', ');
  const text = reason.replace(/\s+/g, ' ').trim();
  const cut = text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS).replace(/\s+\S*$/, '')} …`;
  return legend === '' ? cut : `(${legend}) ${cut}`;
}
