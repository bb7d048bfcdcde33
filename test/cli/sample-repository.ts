import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small git repository on disk; `git` runs in it, `write` puts files into its working tree. */
export interface SampleRepository {
  /** The folder above, for files that are not part of it. */
  readonly home: string;
  readonly dir: string;
  git(...args: readonly string[]): string;
  write(path: string, text: string): void;
  /** Writes a file beside the repository and returns its path. */
  beside(name: string, text: string): string;
  remove(): void;
}

export const CLAMP = 'def clamp(value, low, high):\n    return min(value, high)\n';

/** A patch for {@link CLAMP} in git's form. */
export const clampPatch = (line: string): string =>
  [
    'diff --git a/src/shop/clamp.py b/src/shop/clamp.py',
    '--- a/src/shop/clamp.py',
    '+++ b/src/shop/clamp.py',
    '@@ -1,2 +1,2 @@',
    ' def clamp(value, low, high):',
    '-    return min(value, high)',
    `+    ${line}`,
    '',
  ].join('\n');

/** `src/shop/clamp.py` with a defect, a test that does not see it, and one commit. */
export function sampleRepository(): SampleRepository {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'testgrad-cli-')));
  const dir = join(home, 'shop');
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      cwd: dir,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  write('src/shop/__init__.py', '');
  write('src/shop/clamp.py', CLAMP);
  write('tests/test_clamp.py', 'from shop.clamp import clamp\n\n\ndef test_high():\n    assert clamp(5, 0, 3) == 3\n');
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'base');
  return {
    home,
    dir,
    git,
    write,
    beside: (name, text) => {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), text);
      return join(home, name);
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
