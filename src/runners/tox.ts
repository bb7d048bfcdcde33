/** The pytest command that a tox environment runs, and the variables that it sets. */
export interface ToxCommand {
  /** As a user would give it, without tests: `python -X dev -m pytest --durations 25`. */
  readonly command: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A setting that holds for some environments only: `py39: …`, `du{12,13}: …`. */
const CONDITIONAL = /^[!\w{},.-]+:\s/;

/**
 * Reads what `tox` would run from `[testenv]` of a tox.ini, so that tests can be run in the environment at hand
 * (`--current-env`) and recorded: the one command that starts pytest. Null where there is none, or more than one.
 *
 * Understood are `{posargs}`, `{envname}` and `{env:NAME:default}`, whose default is taken; settings that hold for some
 * environments only, and those of other sections, are passed over.
 */
export function toxCommand({ toxIni, envName = 'py' }: { toxIni: string; envName?: string }): ToxCommand | null {
  const settings = sectionOf({ toxIni, name: 'testenv' });
  const plain = (text: string): string =>
    text
      .replace(/\{posargs(?::[^{}]*)?\}/g, '')
      .replaceAll('{envname}', envName)
      .replace(/\{env:\w+(?::([^{}]*))?\}/g, (_, value: string | undefined) => value ?? '')
      .trim();
  const commands = (settings.get('commands') ?? [])
    .filter((line) => !CONDITIONAL.test(line))
    .map((line) => plain(line.replace(/^-\s*/, '')))
    .filter((line) => /^(?:pytest|py\.test|python[\d.]*\s.*-m\s*pytest)(?:\s|$)/.test(line));
  const [command] = commands;
  if (command === undefined || commands.length > 1) return null;
  const variables: Record<string, string> = {};
  for (const line of settings.get('setenv') ?? settings.get('set_env') ?? []) {
    const found = /^(\w+)\s*=(.*)$/.exec(line);
    if (found?.[1] !== undefined) variables[found[1]] = plain(found[2] ?? '');
  }
  return { command: command.replace(/\s+/g, ' '), variables };
}

/** Lines of each setting of a section; a value goes on in indented lines, and in the next after a backslash. */
function sectionOf({ toxIni, name }: { toxIni: string; name: string }): ReadonlyMap<string, readonly string[]> {
  const settings = new Map<string, string[]>();
  let inside = false;
  let current: string[] | null = null;
  for (const line of toxIni.replace(/\\\r?\n\s*/g, ' ').split(/\r?\n/)) {
    const section = /^\[([^\]]+)\]/.exec(line);
    if (section !== null) {
      inside = section[1] === name;
      current = null;
    } else if (inside && /^\s/.test(line) && current !== null) {
      if (line.trim() !== '' && !line.trim().startsWith('#')) current.push(line.trim());
    } else if (inside) {
      const setting = /^([\w-]+)\s*=\s*(.*)$/.exec(line);
      current = setting === null ? null : [];
      if (setting?.[1] === undefined || current === null) continue;
      settings.set(setting[1], current);
      if (setting[2] !== undefined && setting[2] !== '') current.push(setting[2]);
    }
  }
  return settings;
}
