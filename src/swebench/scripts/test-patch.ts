/** Files of a patch by what it does to them. */
export interface PatchedFiles {
  /** There before it: changed, deleted, or renamed (under the old name). */
  readonly modified: readonly string[];
  /** Not there before it. */
  readonly added: readonly string[];
}

/** Endings of files that are no tests. `csv` has no dot in the harness either. */
const NO_TESTS = ['.json', '.png', 'csv', '.txt', '.md', '.jpg', '.jpeg', '.pkl', '.yml', '.yaml', '.toml'];

/**
 * What is run for a test patch (`get_test_directives`): the paths that it touches, but for data; for Django the labels
 * of the modules. Deleted files and helpers are among them, as in the harness.
 */
export function testDirectives({ repo, testPatch }: { repo: string; testPatch: string }): readonly string[] {
  const paths = [...testPatch.matchAll(/diff --git a\/[^\n]* b\/([^\n]*)/g)]
    .map(([, path = '']) => path)
    .filter((path) => !NO_TESTS.some((ending) => path.endsWith(ending)));
  if (repo !== 'django/django') return paths;
  return paths.map((path) =>
    path
      .replace(/\.py$/, '')
      .replace(/^tests\//, '')
      .replaceAll('/', '.'),
  );
}

/** The files of a git patch (`get_modified_files` and its complement), each once, in its order. */
export function patchedFiles(patch: string): PatchedFiles {
  const modified = new Set<string>();
  const added = new Set<string>();
  for (const section of patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '))) {
    const header = section.split(/^@@ /m, 1)[0] ?? '';
    const names = /^diff --git a\/(.*) b\/(.*?)\r?$/m.exec(header);
    if (/^new file mode |^--- \/dev\/null/m.test(header)) {
      added.add(pathAfter({ header, mark: '+++ b/' }) ?? names?.[2] ?? '');
    } else {
      modified.add(
        pathAfter({ header, mark: '--- a/' }) ?? pathAfter({ header, mark: 'rename from ' }) ?? names?.[1] ?? '',
      );
    }
    // A renamed file's new name is a new file.
    const renamed = pathAfter({ header, mark: 'rename to ' });
    if (renamed !== null) added.add(renamed);
  }
  modified.delete('');
  added.delete('');
  return { modified: [...modified], added: [...added] };
}

function pathAfter({ header, mark }: { header: string; mark: string }): string | null {
  const line = header.split('\n').find((text) => text.startsWith(mark));
  return line === undefined ? null : line.slice(mark.length).replace(/\t.*$/, '').replace(/\r$/, '');
}
