/** What a recorder around a project's own runner is started with. */
export interface ScriptRun {
  /** The runner's script in the repository. */
  readonly script: string;
  readonly options: readonly string[];
  readonly file: string;
  readonly mode: 'run' | 'collect';
  /** Ids to run instead of the whole file, `path/to/file.py::Class::test`. */
  readonly tests: readonly string[];
}

/** Arguments of the interpreter that run one file through a project's own runner with the recorder `module`. */
export function scriptArguments({
  module,
  script,
  options,
  file,
  mode,
  tests,
}: ScriptRun & { readonly module: string }): readonly string[] {
  return [
    ...['-m', module, `--script=${script}`, `--file=${file}`],
    ...(mode === 'collect' ? ['--collect'] : []),
    ...tests.map((id) => `--id=${id}`),
    ...['--', ...options],
  ];
}
