/** Directories that hold packages without being one. */
const CONTAINERS = new Set(['src', 'lib', 'python', '.']);

/**
 * The dotted names under which tests may import a file, the likeliest first; `__init__.py` stands for its package.
 *
 * `src/pkg/a/b.py` gives `pkg.a.b`, `src.pkg.a.b`, `a.b`. Names of one part are given only where the file lies straight
 * in an import root. `roots` are directories on the import path, relative to the repository's root; none for a file
 * that is no Python module.
 */
export function modulesOf({
  path,
  roots = [],
}: {
  readonly path: string;
  readonly roots?: readonly string[];
}): readonly string[] {
  const match = /^(.*?)(?:\/?__init__)?\.(?:py|pyi|pyx)$/.exec(path);
  const parts = match?.[1]?.split('/').filter((part) => part !== '' && part !== '.') ?? [];
  const source = parts.lastIndexOf('src');
  const below = [
    ...roots.map((root) => rootLength({ root, parts })),
    source >= 0 ? source + 1 : CONTAINERS.has(parts[0] ?? '') ? 1 : 0,
    0,
  ];
  const named = below.map((start) => parts.slice(Math.max(0, start)));
  const shorter = parts.map((_, start) => parts.slice(start)).filter((rest) => rest.length >= 2);
  const names = [...named, ...shorter].filter((rest) => rest.length > 0 && rest.every(isIdentifier));
  return [...new Set(names.map((rest) => rest.join('.')))];
}

/** Parts that an import root takes off a path, 0 where the path does not lie in it. */
function rootLength({ root, parts }: { readonly root: string; readonly parts: readonly string[] }): number {
  const own = root.split('/').filter((part) => part !== '' && part !== '.');
  return own.every((part, index) => part === parts[index]) ? own.length : 0;
}

const isIdentifier = (part: string): boolean => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(part);
