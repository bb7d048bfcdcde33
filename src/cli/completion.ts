import type { OptionSpec } from './option-spec.js';
import { optionsOf } from './options.js';
import { VERBS } from './verbs.js';

/** Shells that a completion script can be made for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Words that may follow a verb, where they are a fixed set. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  config: ['show', 'schema'],
  completion: SHELLS,
};

const takesRun = (verb: (typeof VERBS)[number]): boolean => verb.argument?.name.startsWith('RUN') === true;

/** Runs by id, as every verb that takes one accepts them; asked of `status` when somebody presses the key. */
const RUNS = `testgrad status --json 2>/dev/null | sed -n 's/.*"runId": "\\([0-9a-f]*\\)".*/\\1/p'`;

const words = (spec: OptionSpec): string[] => [spec.flag, ...(spec.short === undefined ? [] : [spec.short])];

/** A completion script: verbs, their flags, the values of choices, files, and run ids. */
export function completionScript(shell: Shell): string {
  return { bash, zsh, fish }[shell]();
}

/** Flags whose value is a file or a folder. */
const isPath = ({ value }: OptionSpec): boolean => value !== null && /FILE|DIR|PATH/.test(value);

function bash(): string {
  const verbs = VERBS.map((verb) => {
    const specs = optionsOf(verb.name).map(({ spec }) => spec);
    const values = specs.flatMap((spec) => {
      if (spec.choices !== undefined)
        return [`      ${words(spec).join('|')}) _testgrad_words "${spec.choices.join(' ')}"; return ;;`];
      if (isPath(spec)) return [`      ${words(spec).join('|')}) compopt -o default; COMPREPLY=(); return ;;`];
      return spec.value === null ? [] : [`      ${words(spec).join('|')}) COMPREPLY=(); return ;;`];
    });
    const more = ARGUMENTS[verb.name]?.join(' ') ?? (takesRun(verb) ? `last $(${RUNS})` : '');
    return [
      `    ${verb.name})`,
      ...(values.length === 0 ? [] : ['      case "$previous" in', ...values.map((line) => `  ${line}`), '      esac']),
      `      if [[ $word == -* ]]; then _testgrad_words "${specs.flatMap(words).join(' ')} --help"; else _testgrad_words "${more}"; fi ;;`,
    ].join('\n');
  });
  return `# bash completion of testgrad: source <(testgrad completion bash)
_testgrad_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }
_testgrad() {
  local word=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  if ((COMP_CWORD == 1)); then _testgrad_words "${VERBS.map(({ name }) => name).join(' ')} help --help --version"; return; fi
  case \${COMP_WORDS[1]} in
${verbs.join('\n')}
  esac
}
complete -F _testgrad testgrad`;
}

/** Inside single quotes of zsh and fish. */
const quoted = (text: string): string => text.replace(/'/g, "'\\''");

function zsh(): string {
  const inBrackets = (text: string): string => quoted(text).replace(/[[\]\\:]/g, '\\$&');
  const verbs = VERBS.map((verb) => {
    const flags = optionsOf(verb.name).flatMap(({ spec }) =>
      words(spec).map((flag) => {
        const repeated = spec.type === 'texts' ? '*' : '';
        const value =
          spec.value === null
            ? ''
            : `:value:${spec.choices !== undefined ? `(${spec.choices.join(' ')})` : isPath(spec) ? '_files' : ''}`;
        return `'${repeated}${flag}[${inBrackets(spec.description)}]${value}'`;
      }),
    );
    const fixed = ARGUMENTS[verb.name];
    const first =
      fixed !== undefined ? `'1:what:(${fixed.join(' ')})'` : takesRun(verb) ? `'1:run:_testgrad_runs'` : '';
    return `    ${verb.name}) _arguments ${[...flags, first].filter(Boolean).join(' ')} ;;`;
  });
  return `#compdef testgrad
# zsh completion of testgrad: source <(testgrad completion zsh)
_testgrad_runs() { local -a runs; runs=(last \${(f)"$(${RUNS})"}); compadd -a runs; }
_testgrad() {
  if ((CURRENT == 2)); then
    local -a verbs; verbs=(${VERBS.map(({ name, summary }) => `'${name}:${quoted(summary)}'`).join(' ')})
    _describe verb verbs; return
  fi
  local verb=$words[2]; shift words; ((CURRENT--))
  case $verb in
${verbs.join('\n')}
  esac
}
compdef _testgrad testgrad`;
}

function fish(): string {
  const at = (verb: string): string => `-n '__fish_seen_subcommand_from ${verb}'`;
  const lines = VERBS.flatMap((verb) => [
    `complete -c testgrad -f -n __fish_use_subcommand -a ${verb.name} -d '${quoted(verb.summary)}'`,
    ...optionsOf(verb.name).map(({ spec }) => {
      const short = spec.short === undefined ? '' : ` -s ${spec.short.slice(1)}`;
      const value =
        spec.value === null
          ? ''
          : spec.choices !== undefined
            ? ` -x -a '${spec.choices.join(' ')}'`
            : isPath(spec)
              ? ' -r -F'
              : ' -x';
      return `complete -c testgrad ${at(verb.name)} -l ${spec.flag.slice(2)}${short}${value} -d '${quoted(spec.description)}'`;
    }),
    ...(ARGUMENTS[verb.name] === undefined
      ? takesRun(verb)
        ? [`complete -c testgrad -f ${at(verb.name)} -a 'last (${quoted(RUNS)})'`]
        : []
      : [`complete -c testgrad -f ${at(verb.name)} -a '${ARGUMENTS[verb.name]?.join(' ')}'`]),
  ]);
  return ['# fish completion of testgrad: testgrad completion fish | source', ...lines].join('\n');
}
