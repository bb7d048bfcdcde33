import { bare } from './patch-text.js';

/** The header of a section in one form, and the paths it is about. */
export interface NamedHeader {
  readonly header: readonly string[];
  /** In patch text, without prefix; undefined for a new file. */
  readonly oldPath: string | undefined;
  /** Undefined for a deleted file. */
  readonly newPath: string | undefined;
  /** What was mended, for people. */
  readonly notes: readonly string[];
}

const NULL_PATH = '/dev/null';

/**
 * Finds the paths of a section's header and brings it into the form that `git apply -p1` reads: every name with a prefix
 * (`a/`, `b/`), and `new file mode` or `deleted file mode` where a `/dev/null` calls for it. Undefined when there is no
 * name.
 *
 * Names are taken as without prefix when both sides are equal (`git diff --no-prefix`, svn): prefixes differ.
 */
export function nameSection(given: readonly string[]): NamedHeader | undefined {
  const lines = given.map(bare);
  const value = (start: string) => lines.find((line) => line.startsWith(start))?.slice(start.length);
  const pair = splitGitNames(value('diff --git ') ?? '');
  const from = value('rename from ') ?? value('copy from ');
  const to = value('rename to ') ?? value('copy to ');
  const moved = from !== undefined && to !== undefined;
  const oldName = nameOf(moved ? from : value('--- ')) ?? pair?.[0];
  const newName = nameOf(moved ? to : value('+++ ')) ?? pair?.[1];
  if (oldName === undefined || newName === undefined) return undefined;
  const unprefixed = moved ? value('diff --git ') === `${from} ${to}` : isUnprefixed({ oldName, newName, pair });
  const mended = unprefixed ? lines.map(withPrefix) : lines;
  const notes = unprefixed ? ['paths have no a/ and b/ prefix'] : [];
  const isNew = oldName === NULL_PATH || value('new file mode ') !== undefined;
  const isDeleted = newName === NULL_PATH || value('deleted file mode ') !== undefined;
  const header = withModes({ lines: mended, isNew, isDeleted });
  if (header.length > mended.length) notes.push(`${isNew ? 'new' : 'deleted'} file mode was missing`);
  const strip = (name: string) => (unprefixed || moved ? name : name.slice(name.indexOf('/') + 1));
  return {
    header,
    oldPath: isNew ? undefined : strip(oldName),
    newPath: isDeleted ? undefined : strip(newName),
    notes,
  };
}

function isUnprefixed({
  oldName,
  newName,
  pair,
}: {
  oldName: string;
  newName: string;
  pair: readonly [string, string] | undefined;
}): boolean {
  if (oldName !== NULL_PATH && newName !== NULL_PATH) return oldName === newName;
  if (pair !== undefined) return pair[0] === pair[1];
  const name = oldName === NULL_PATH ? newName : oldName;
  return !/^[ab]\//.test(name);
}

/** git refuses a `/dev/null` in a `diff --git` section that does not say so in a mode line too. */
function withModes({
  lines,
  isNew,
  isDeleted,
}: {
  lines: readonly string[];
  isNew: boolean;
  isDeleted: boolean;
}): readonly string[] {
  const wanted = isNew ? 'new file mode ' : isDeleted ? 'deleted file mode ' : undefined;
  if (wanted === undefined || !lines[0]?.startsWith('diff --git ')) return lines;
  if (lines.some((line) => line.startsWith(wanted))) return lines;
  return [lines[0], `${wanted}100644`, ...lines.slice(1)];
}

function withPrefix(line: string): string {
  const pair = line.startsWith('diff --git ')
    ? splitGitNames(line.slice('diff --git '.length), { raw: true })
    : undefined;
  if (pair !== undefined) return `diff --git ${prefixed('a/', pair[0])} ${prefixed('b/', pair[1])}`;
  if (/^(---|\+\+\+) /.test(line) && nameOf(line.slice(4)) === NULL_PATH) return line;
  if (line.startsWith('--- ')) return `--- ${prefixed('a/', line.slice(4))}`;
  if (line.startsWith('+++ ')) return `+++ ${prefixed('b/', line.slice(4))}`;
  return line;
}

function prefixed(prefix: string, name: string): string {
  return name.startsWith('"') ? `"${prefix}${name.slice(1)}` : `${prefix}${name}`;
}

/** A name as it stands after `--- `: quoted as in C, or up to a tab that a time stamp follows. */
function nameOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  if (quoted !== null) return unquote(quoted[1] ?? '');
  const name = text.split('\t')[0]?.trimEnd() ?? '';
  return name === '' ? undefined : name;
}

/**
 * The two names after `diff --git`. They may hold spaces: the split is where both name the same path, with or without
 * prefix; the first space when no split does.
 */
function splitGitNames(text: string, { raw = false } = {}): readonly [string, string] | undefined {
  const splits = [...text.matchAll(/ /g)]
    .map(({ index }) => [text.slice(0, index), text.slice(index + 1)] as const)
    .filter(([left, right]) => isOneName(left) && isOneName(right));
  const names = ([left, right]: readonly [string, string]) => [nameOf(left) ?? '', nameOf(right) ?? ''] as const;
  const same = splits.find((split) => {
    const [left, right] = names(split);
    return left === right || afterSlash(left) === afterSlash(right);
  });
  const chosen = same ?? splits[0];
  if (chosen === undefined) return undefined;
  return raw ? chosen : names(chosen);
}

function isOneName(text: string): boolean {
  return text.startsWith('"') ? /^"(?:[^"\\]|\\.)*"$/.test(text) : text !== '';
}

function afterSlash(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unquote(text: string): string {
  return text.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  );
}
