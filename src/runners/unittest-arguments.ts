/**
 * Arguments that run one file through the recording unittest runner, from a `-m unittest` command.
 *
 * `discover -t TOP`, or `-s START` without it, names modules relative to that folder, as `python -m unittest` does;
 * without either they are named from the root.
 */
export function unittestArguments({
  options,
  file,
  mode,
  tests,
}: {
  options: readonly string[];
  file: string;
  mode: 'run' | 'collect';
  tests: readonly string[];
}): readonly string[] {
  const module = options.indexOf('-m');
  const own = options.slice(module + 2);
  const top = topOf({ own, file });
  return [
    ...options.slice(0, module),
    ...['-m', 'testgrad_unittest', `--file=${file}`],
    ...(top === null ? [] : [`--top=${top}`]),
    ...valuesOf({ own, option: '-k' }).map((pattern) => `--pattern=${pattern}`),
    ...(own.includes('-b') ? ['--buffer'] : []),
    ...(mode === 'collect' ? ['--collect'] : []),
    ...tests.map((id) => `--id=${id}`),
  ];
}

function topOf({ own, file }: { own: readonly string[]; file: string }): string | null {
  const given = valuesOf({ own, option: '-t' }).at(-1) ?? valuesOf({ own, option: '-s' }).at(-1);
  if (given === undefined) return null;
  const top = given.replace(/^\.\//, '').replace(/\/+$/, '');
  // A start that is a dotted module name is found from the root, and so is a file outside of it.
  return top !== '.' && file.startsWith(`${top}/`) ? top : null;
}

function valuesOf({ own, option }: { own: readonly string[]; option: string }): readonly string[] {
  return own.filter((_, index) => own[index - 1] === option);
}
