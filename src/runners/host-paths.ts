import { recorderDir } from './recorder-dir.js';

/** A folder of this machine with the name under which messages show it, the same on every machine. */
export interface HostPlace {
  readonly path: string;
  readonly name: string;
}

/** The places that a program meets besides the repository: interpreter and packages, its home, its temporary folder. */
export function hostPlaces({
  env,
  readOnlyPaths,
}: {
  /** Of the program. */
  env: Readonly<Record<string, string>>;
  /** What the interpreter needs, as its description has it. */
  readOnlyPaths: readonly string[];
}): readonly HostPlace[] {
  return [
    { path: recorderDir(), name: '<testgrad>' },
    ...readOnlyPaths.map((path) => ({ path, name: '<python>' })),
    { path: env.HOME ?? '', name: '<home>' },
    { path: env.TMPDIR ?? '', name: '<tmp>' },
  ];
}

/**
 * Text that a program printed without what differs between machines, in the words of the recorder's messages: paths in
 * the repository become relative, other places get their names.
 */
export function withoutHostPaths({
  text,
  root,
  places,
}: {
  text: string;
  root: string;
  places: readonly HostPlace[];
}): string {
  const known = [{ path: root, name: '<repository>' }, ...places]
    .filter(({ path }) => path.startsWith('/') && path !== '/')
    .toSorted((left, right) => right.path.length - left.path.length);
  const relative = root === '' ? text : text.replaceAll(`${root}/`, '');
  const named = known.reduce((rest, { path, name }) => rest.replaceAll(placePattern(path), name), relative);
  return named
    .replaceAll(/(?:<python>|\/usr(?:\/local)?)\/lib(?:64)?\/(?:python|pypy)3?(?:\.\d+)?(?=\/)/g, '<python>')
    .replaceAll('<python>/dist-packages', '<python>/site-packages');
}

/** A path begins where no other one goes on, and ends with one of its parts. */
function placePattern(path: string): RegExp {
  const literal = path.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?:(?<=://)|(?<![\\w./~-]))${literal}(?![\\w-]|\\.\\w)`, 'g');
}
