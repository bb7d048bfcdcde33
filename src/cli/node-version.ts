/** Oldest Node that runs this program. Its own file imports nothing, so that an old Node can still read it. */
const OLDEST_NODE = '22.12.0';

/** The message for a Node that is too old (TG-E06), or null when it is new enough. */
export function nodeProblem(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) {
    return null;
  }
  return [
    `TG-E06  Node ${version} runs this program, and it needs ${OLDEST_NODE} or newer.`,
    '        Nothing was started or changed.',
    '  Fix:  install a newer Node (https://nodejs.org), or run it through npx: npx -p node@24 -p testgrad testgrad',
    '',
  ].join('\n');
}
