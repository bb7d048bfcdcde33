import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pythonWithPytest } from '../support/python-venv.js';
import { runCli } from './run-cli.js';
import { clampPatch, type SampleRepository, sampleRepository } from './sample-repository.js';

let repo: SampleRepository;
let python: string;
beforeAll(async () => {
  python = await pythonWithPytest();
  repo = sampleRepository();
  repo.beside('issue.md', '# clamp ignores low\n');
  repo.beside('good.diff', clampPatch('return max(low, min(value, high))'));
  repo.beside('partial.diff', clampPatch('return min(max(value, 0), high)'));
  repo.beside('empty.diff', '');
  repo.beside('prose.diff', 'See above.\n');
}, 180_000);
afterAll(() => repo.remove());

const PATCHES = ['--patch', '../good.diff', '--patch', '../partial.diff'];

interface Case {
  readonly name: string;
  readonly code: string;
  readonly exitCode: number;
  /** In place of two good patches and an issue. */
  readonly args?: readonly string[];
  readonly extra?: readonly string[];
  readonly env?: () => Readonly<Record<string, string>>;
  readonly cwd?: () => string;
  readonly says: RegExp;
}

const full = (extra: readonly string[] = []): string[] => [
  'select',
  ...['--issue', '../issue.md', ...PATCHES, '--model', 'm', '--python', python, '--sandbox', 'none'],
  ...extra,
];

const CASES: readonly Case[] = [
  {
    name: 'no candidate',
    code: 'TG-I00',
    exitCode: 2,
    args: ['select', '--issue', '../issue.md', '--model', 'm'],
    says: /--patch a\.diff --patch b\.diff/,
  },
  {
    name: 'one candidate',
    code: 'TG-I01',
    exitCode: 2,
    args: ['select', '--issue', '../issue.md', '--model', 'm', '--patch', '../good.diff'],
    says: /\(good\)[\s\S]*--allow-single/,
  },
  {
    name: 'no usable candidate',
    code: 'TG-I02',
    exitCode: 2,
    args: ['matrix', '--patch', '../empty.diff', '--patch', '../prose.diff'],
    says: /empty: empty[\s\S]*prose: malformed/,
  },
  {
    name: 'a patch that cannot be read',
    code: 'TG-I03',
    exitCode: 2,
    args: ['matrix', '--patch', '../good.diff', '--patch', '../nope.diff'],
    says: /--patch \.\.\/nope\.diff: there is no such file/,
  },
  {
    name: 'no issue',
    code: 'TG-I11',
    exitCode: 2,
    args: ['select', '--model', 'm', ...PATCHES],
    says: /--issue issue\.md/,
  },
  {
    name: 'an empty issue on standard input',
    code: 'TG-I11',
    exitCode: 2,
    args: ['select', '--model', 'm', '--issue', '-', ...PATCHES],
    says: /Standard input is empty/,
  },
  {
    name: 'no model',
    code: 'TG-I14',
    exitCode: 2,
    args: ['select', '--issue', '../issue.md', ...PATCHES],
    says: /--model NAME/,
  },
  { name: 'an unknown base', code: 'TG-I16', exitCode: 2, extra: ['--base', 'mian'], says: /closest names are main/ },
  {
    name: 'an unknown branch',
    code: 'TG-I16',
    exitCode: 2,
    extra: ['--branch', 'x=fix/nope'],
    says: /fix\/nope is no branch/,
  },
  {
    name: 'no git repository',
    code: 'TG-I17',
    exitCode: 2,
    extra: ['--repo', '..'],
    says: /not in a git repository[\s\S]*git init/,
  },
  {
    name: 'an unknown test file',
    code: 'TG-I14',
    exitCode: 2,
    extra: ['--test-file', 'tests/test_x.py'],
    says: /no such path/,
  },
  { name: 'no interpreter', code: 'TG-E08', exitCode: 5, extra: ['--python', './nope'], says: /--python/ },
  {
    name: 'a test command for a shell',
    code: 'TG-I14',
    exitCode: 2,
    extra: ['--test-cmd', 'python -m pytest && rm -rf .'],
    says: /only a shell understands/,
  },
  {
    name: 'a runner that is not supported',
    code: 'TG-I14',
    exitCode: 2,
    extra: ['--test-cmd', 'tox'],
    says: /neither python nor pytest/,
  },
  {
    name: 'an interpreter that is none',
    code: 'TG-S03',
    exitCode: 5,
    extra: ['--python', '/bin/true'],
    says: /does not work as a Python interpreter/,
  },
  { name: 'no key', code: 'TG-M01', exitCode: 4, extra: [], says: /OPENAI_API_KEY[\s\S]*Nothing was started/ },
  {
    name: 'an endpoint that is no address',
    code: 'TG-I14',
    exitCode: 2,
    env: () => ({ OPENAI_BASE_URL: 'api.example', OPENAI_API_KEY: 'k' }),
    says: /OPENAI_BASE_URL/,
  },
  {
    name: 'no Temporal program',
    code: 'TG-T05',
    exitCode: 5,
    env: () => ({ OPENAI_API_KEY: 'k', TEMPORAL_CLI_PATH: '/nonexistent/temporal' }),
    says: /TEMPORAL_CLI_PATH/,
  },
  {
    name: 'a server that does not answer',
    code: 'TG-T01',
    exitCode: 5,
    env: () => ({ TEMPORAL_ADDRESS: '127.0.0.1:1' }),
    says: /127\.0\.0\.1:1/,
  },
  {
    name: 'no bubblewrap',
    code: 'TG-E07',
    exitCode: 5,
    args: ['matrix', ...PATCHES],
    // A PATH with git and a Python, and nothing else.
    env: () => ({ PATH: join(repo.home, 'bin') }),
    says: /--sandbox none/,
  },
];

test.concurrent.for(CASES)('$name: $code, exit $exitCode', async ({ code, exitCode, args, extra, env, says }) => {
  const bin = join(repo.home, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, target] of [
    ['git', execFileSync('which', ['git'], { encoding: 'utf8' }).trim()],
    ['python3', python],
  ] as const) {
    try {
      symlinkSync(target, join(bin, name));
    } catch {
      // Another case made it.
    }
  }
  const result = await runCli({ args: args ?? full(extra), home: repo.home, cwd: repo.dir, env: env?.() ?? {} });
  expect(result.stderr).toMatch(says);
  expect(result).toMatchObject({ exitCode, stdout: '' });
  expect(result.stderr.match(/^TG-\w\d\d /gm)).toEqual([`${code} `]);
  expect(result.stderr).toMatch(/^ {2}Fix: {2}\S/m);
  expect(result.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
});

test('a stack trace comes with --verbose', async () => {
  const result = await runCli({ args: ['show', 'last', '-v'], home: repo.home });
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toMatch(/^\s+at .*:\d+:\d+/m);
});

test('running without a sandbox is said loudly, a dirty tree is noted and left as it is', async () => {
  repo.write('src/shop/clamp.py', 'raise SystemExit\n');
  const before = repo.git('status', '--porcelain=v2');
  const result = await runCli({ args: full(), home: repo.home, cwd: repo.dir });
  expect(result.stderr).toMatch(/WARNING: --sandbox none/);
  expect(result.stderr).toMatch(/1 changed file, which are part of no candidate/);
  expect(result.exitCode).toBe(4);
  expect(repo.git('status', '--porcelain=v2')).toBe(before);
  repo.git('checkout', '-q', '.');
});

test('an unreadable store is told as what it is', async () => {
  const home = join(repo.home, 'not-a-folder');
  writeFileSync(home, '');
  const result = await runCli({ args: full(['--home', home]), home: repo.home, cwd: repo.dir });
  expect(result.exitCode).not.toBe(0);
  expect(result.stderr).toMatch(/TG-I14.*not-a-folder/);
});
