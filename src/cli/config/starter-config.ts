import { stringify } from 'yaml';
import { CONFIG_KEYS } from './config-keys.js';
import { CONFIG_FILE } from './find-config.js';

/** Keys that a starter file leaves to the flags: they are for benchmarks and operators. */
const ONLY_FOR = ['bench', 'evaluate', 'retry', 'resume', 'worker'];

/**
 * A commented configuration file: what was found out about the repository as values, everything else commented out
 * with its default.
 */
export function starterConfig({
  repository,
  found,
}: {
  /** Its name, for the first line. */
  repository: string;
  /** Values by key. */
  found: Readonly<Record<string, string | readonly string[]>>;
}): string {
  const shown = CONFIG_KEYS.filter(({ spec }) => spec.verbs.some((verb) => !ONLY_FOR.includes(verb)));
  const groups = [...new Set(shown.map(({ spec }) => spec.group))];
  const lines = [
    `# ${CONFIG_FILE} of ${repository.replace(/[^\w.-]/g, '_')}: settings of testgrad under the names of its flags.`,
    '# A flag wins over a variable, and that over this file. testgrad config show tells where each value comes from.',
    '# Keys and endpoints stay in the environment (OPENAI_API_KEY, OPENAI_BASE_URL), protection on the command line.',
    'version: 1',
  ];
  for (const group of groups) {
    lines.push('', `# ${group}`);
    for (const { key, spec } of shown.filter((each) => each.spec.group === group)) {
      const facts = [
        ...(spec.choices === undefined ? [] : [spec.choices.join(' or ')]),
        ...(spec.default === undefined ? [] : [`default: ${spec.default}`]),
        ...(spec.env === undefined ? [] : [`or ${spec.env}`]),
      ];
      lines.push(`# ${spec.description}${facts.length === 0 ? '' : ` (${facts.join('; ')})`}`);
      const value = found[key];
      if (value !== undefined) lines.push(stringify({ [key]: value }, { flowCollectionPadding: false }).trimEnd());
      else lines.push(`# ${key}: ${exampleOf({ type: spec.type, fallback: spec.default, choices: spec.choices })}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** The default where it is a value, else the kind of value. */
function exampleOf({
  type,
  fallback = '',
  choices,
}: {
  type: string;
  fallback: string | undefined;
  choices: readonly string[] | undefined;
}): string {
  if (type === 'switch') return 'true';
  if (type === 'count' || type === 'seconds') return /^\d+/.exec(fallback)?.[0] ?? '1';
  if (choices?.includes(fallback)) return fallback;
  return type === 'texts' ? '[...]' : '...';
}
