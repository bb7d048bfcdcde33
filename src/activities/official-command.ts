import { tryGit } from '../repository/git.js';
import type { Scratch } from '../repository/scratch.js';
import { toxCommand } from '../runners/tox.js';
import type { SelectionRow } from '../swebench/datasets/selection-row.js';
import { projectSpec } from '../swebench/projects.js';

/**
 * How the tests of a dataset's row are started in its official image, as a user would say it: the harness's command for
 * the project's version, else what the row says, else pytest. For a command that starts tox, what tox would start.
 */
export async function officialCommand({ row, scratch }: { row: SelectionRow; scratch: Scratch }): Promise<string> {
  const { repo, version, testCommands } = row;
  const spec = version === null ? null : projectSpec({ repo, version });
  const command = spec?.testCommand ?? testCommands.at(-1) ?? 'pytest';
  if (!/^tox(?:\s|$)/.test(command)) return command;
  const { gitDir, treeId } = scratch;
  const { exitCode, stdout } = await tryGit({ gitDir, args: ['show', `${treeId}:tox.ini`] });
  const found = exitCode === 0 ? toxCommand({ toxIni: stdout.toString('utf8'), envName: envNameOf(command) }) : null;
  if (found === null) return 'pytest';
  const variables = Object.entries(found.variables).filter(([name]) => !OURS.has(name));
  return [...variables.map(([name, value]) => `${name}=${quoted(value)}`), found.command].join(' ');
}

/** The sandbox and the recorder set these themselves. */
const OURS = new Set(['PYTHONPATH', 'PYTHONHASHSEED', 'PATH', 'HOME', 'TMPDIR']);

/** `py39` of `tox --current-env -epy39 -v --`. */
const envNameOf = (command: string): string => /\s-e\s*(\w+)/.exec(command)?.[1] ?? 'py';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
