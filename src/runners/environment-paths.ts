import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** More links than any installation makes; a longer chain is a loop. */
const MAX_LINKS = 20;

/**
 * Host paths that an interpreter needs to see: its prefixes, what is on its import path, projects installed in editable
 * mode, and the installations that the links behind `bin/python` lead through. Of the repository only its own
 * environment (a `.venv`) is among them: code that an editable install finds there must stay the candidate's.
 *
 * @param repository the repository's root
 * @returns absolute paths, none inside another, nothing of `/usr`
 */
export function environmentPaths({
  python,
  version,
  prefix,
  basePrefix,
  executable,
  stdlib,
  importPath,
  editable,
  repository,
}: {
  python: string;
  version: string;
  prefix: string;
  basePrefix: string;
  executable: string;
  stdlib: readonly string[];
  importPath: readonly string[];
  editable: readonly string[];
  repository: string;
}): readonly string[] {
  const prefixes = [prefix, basePrefix, ...prefixesBehind({ python, version })];
  const environment = prefixes.flatMap((path) => prefixPaths({ prefix: path, repository }));
  const isForeign = (path: string) => !isWithin(path, repository) || environment.some((dir) => isWithin(path, dir));
  const others = [python, executable, ...stdlib, ...importPath, ...editable].filter(isForeign);
  const all = [...environment, ...environment.map(realPath), ...others, realPath(python)];
  // The repository itself, or a folder around it, would cover the candidate's tree.
  const needed = [...new Set(all)].filter((path) => isAbsolute(path) && exists(path) && !isWithin(repository, path));
  const shown = needed.filter((path) => !isWithin(path, '/usr'));
  return shown.filter((path) => !shown.some((other) => other !== path && isWithin(path, other))).toSorted();
}

/** A prefix as a whole, or its parts when the repository lies in it (`python -m venv .` in the repository's root). */
function prefixPaths({ prefix, repository }: { prefix: string; repository: string }): readonly string[] {
  if (!isWithin(repository, prefix)) return [prefix];
  return ['bin', 'include', 'lib', 'lib64', 'pyvenv.cfg', 'share'].map((name) => join(prefix, name)).filter(exists);
}

/** Installations that the links behind an interpreter name: a version manager puts links to folders between. */
function prefixesBehind({ python, version }: { python: string; version: string }): readonly string[] {
  const library = `lib/python${version.split('.').slice(0, 2).join('.')}`;
  const steps: string[] = [];
  for (let path: string | null = python; path !== null && steps.length < MAX_LINKS; path = linkTarget(path)) {
    steps.push(path);
  }
  // Only what is an installation: the folder around an odd link may be somebody's home.
  return steps.map((path) => dirname(dirname(path))).filter((prefix) => exists(join(prefix, library)));
}

function linkTarget(path: string): string | null {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return null;
  }
}

const realPath = (path: string): string => (exists(path) ? realpathSync(path) : path);

function exists(path: string): boolean {
  try {
    realpathSync(path);
    return true;
  } catch {
    return false;
  }
}

function isWithin(path: string, dir: string): boolean {
  const rest = relative(dir, path);
  return rest === '' || (rest !== '..' && !rest.startsWith('../') && !isAbsolute(rest));
}
