import type { TestEnvironment } from '../../core/instance.js';
import { EnvironmentError } from '../../errors.js';
import { defaultImportRoots } from '../../repository/import-roots.js';
import type { RepositoryFacts } from '../../repository/inspect-repository.js';
import { describePython } from '../../runners/python-environment.js';
import { splitWords } from '../../runners/shell-words.js';
import { testEnvironment } from '../../runners/test-environment.js';
import { detectBubblewrap } from '../../sandbox/detect.js';
import type { Invocation } from '../invocation.js';
import { choosePython } from './choose-python.js';
import { imageEnvironment, isImageNamed } from './image-environment.js';
import { basePaths } from './import-roots.js';

/** What starts the tests when nothing else was named. */
export const DEFAULT_TEST_COMMAND = 'python -m pytest';
const DEFAULT_TIMEOUT_SECONDS = 300;

/** Bubblewrap where it works; without it only what was asked for by hand, and loudly. Throws TG-E07. */
export async function chooseSandbox({ values, terminal }: Invocation): Promise<'bubblewrap' | 'none'> {
  if (values.text('sandbox') === 'none') {
    terminal.note('WARNING: --sandbox none: candidates and generated tests run unprotected on this machine, with its');
    terminal.note('         network, files and keys in reach. Only do this with code that you trust.');
    return 'none';
  }
  const check = await detectBubblewrap();
  if (check.available) return 'bubblewrap';
  throw new EnvironmentError({
    code: 'TG-E07',
    what: `Bubblewrap does not work here: ${check.reason}.`,
    meaning: 'Candidates are code by strangers and run only isolated, unless you say otherwise. Nothing was started.',
    fix: 'Install it (Debian, Ubuntu: apt install bubblewrap), or accept the risk with --sandbox none.',
  });
}

/** How the tests of the instance are started, and where its tree appears to them. */
export interface BuiltEnvironment {
  readonly environment: TestEnvironment;
  /** Absolute path of the repository's root, with an image in there. */
  readonly mountAt: string;
}

/** How the tests of the instance are started, from flags and what the machine, the image and the repository have. */
export async function buildEnvironment({
  invocation,
  facts,
  repoDir,
  home,
}: {
  invocation: Invocation;
  facts: RepositoryFacts;
  repoDir: string;
  home: string;
}): Promise<BuiltEnvironment> {
  const { values, cwd, env, terminal } = invocation;
  const named = await basePaths({ base: facts, given: values.texts('pythonPath'), flag: '--python-path' });
  const common = {
    pythonPath: named.length > 0 ? named : await defaultImportRoots(facts),
    command: values.text('testCommand') ?? DEFAULT_TEST_COMMAND,
    setupCommand: splitWords(values.text('setup') ?? ''),
    timeoutMs: (values.count('timeout') ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
  };
  const built = await (isImageNamed(values)
    ? imageEnvironment({ invocation, facts, home, common })
    : hostEnvironment({
        invocation,
        facts,
        python: await choosePython({ given: values.text('python'), repoDir, cwd, env }),
        common,
      }));
  if (built.leftOut.length > 0) {
    terminal.note(`Note: left out of the test command, as each file is run by itself: ${built.leftOut.join(' ')}`);
  }
  return built;
}

/** What flags say of an environment, wherever its interpreter is. */
export type CommonEnvironment = Pick<
  Parameters<typeof testEnvironment>[0],
  'pythonPath' | 'command' | 'setupCommand' | 'timeoutMs'
>;

async function hostEnvironment({
  invocation,
  facts,
  python,
  common,
}: {
  invocation: Invocation;
  facts: RepositoryFacts;
  python: string;
  common: CommonEnvironment;
}): Promise<BuiltEnvironment & { readonly leftOut: readonly string[] }> {
  const sandbox = await chooseSandbox(invocation);
  const description = await describePython({ python, cwd: facts.topLevel });
  return { ...testEnvironment({ ...common, python, description, sandbox }), mountAt: facts.topLevel };
}
