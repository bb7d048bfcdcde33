const START = '>>>>> Start Test Output';
const END = '>>>>> End Test Output';

/**
 * Shell lines that start the project's tests, for a selection: those of the row (`test_cmds` of Live, or what stands
 * between the markers of a v5 `eval_script`) without the tests that grade.
 *
 * The tests that grade are the files that `test_patch` touches, by path and as a Django label. Arguments that name one are
 * left out; a line that still mentions one is left out as a whole, as is a script without markers.
 */
export function publicTestCommands({
  testCommands,
  evalScript,
  testPatch,
}: {
  testCommands: readonly string[];
  evalScript: string | null;
  testPatch: string;
}): string[] {
  const hidden = hiddenNames(testPatch);
  return [...testCommands, ...betweenMarkers(evalScript ?? '')]
    .map((line) =>
      line
        .split(/[ \t]+/)
        .filter((word) => !hidden.some((name) => isAbout({ word, name })))
        .join(' ')
        .trim(),
    )
    .filter((line) => line !== '' && !hidden.some((name) => line.includes(name)));
}

function betweenMarkers(script: string): string[] {
  const lines = script.split(/\r?\n/);
  const start = lines.findIndex((line) => line.includes(START));
  const end = lines.findIndex((line, index) => index > start && line.includes(END));
  return start === -1 || end === -1 ? [] : lines.slice(start + 1, end).filter((line) => line.trim() !== '');
}

function hiddenNames(testPatch: string): string[] {
  const names = new Set<string>();
  for (const [, path] of testPatch.matchAll(/^(?:diff --git a\/.* b\/|\+\+\+ b\/|--- a\/|rename from )(.+?)\r?$/gm)) {
    if (path === undefined) continue;
    names.add(path);
    names.add(
      path
        .replace(/\.py$/, '')
        .replace(/^tests\//, '')
        .replaceAll('/', '.'),
    );
  }
  return [...names].filter((name) => name.length > 2);
}

/** True when a word is the name, quoted or not, or begins with it as `path::test` and `label.Class` do. */
function isAbout({ word, name }: { word: string; name: string }): boolean {
  const bare = word.replace(/^['"]|['"]$/g, '').replace(/^\.\//, '');
  return bare === name || bare.startsWith(`${name}::`) || bare.startsWith(`${name}.`);
}
