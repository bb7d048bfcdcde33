import { execa } from 'execa';
import { gitArguments, gitEnvironment } from './git.js';
import type { Scratch } from './scratch.js';

export interface GrepMatch {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** The line, cut after 400 characters. */
  readonly text: string;
}

export type GrepAnswer =
  | {
      readonly kind: 'matches';
      readonly matches: readonly GrepMatch[];
      /** Why there may be more: `limit` matches were reached, or the `time` was over. */
      readonly end: 'complete' | 'limit' | 'time';
    }
  | { readonly kind: 'refused'; readonly reason: string };

const MAX_TEXT = 400;
const MAX_PATTERN = 1000;

/**
 * Lines of a tree's text files that match a regular expression, in path order; binary files are left out.
 *
 * The pattern and the paths may come from a model. Perl's syntax (`\d`, `(?:…)`, lazy quantifiers) is understood where
 * git has PCRE, POSIX extended syntax elsewhere. `paths` are files, directories or globs (`*.py` at any depth).
 *
 * @param maxMatches default 200
 * @param timeoutMs default 10,000
 */
export async function grepTree({
  scratch,
  treeId,
  pattern,
  paths = [],
  maxMatches = 200,
  timeoutMs = 10_000,
}: {
  scratch: Scratch;
  treeId: string;
  pattern: string;
  paths?: readonly string[];
  maxMatches?: number;
  timeoutMs?: number;
}): Promise<GrepAnswer> {
  if (pattern === '' || pattern.length > MAX_PATTERN || /[\n\0]/.test(pattern)) {
    return { kind: 'refused', reason: `A pattern is one line of 1 to ${MAX_PATTERN} characters.` };
  }
  const search = (syntax: string) => runGrep({ scratch, treeId, pattern, paths, maxMatches, timeoutMs, syntax });
  const answer = await search('--perl-regexp');
  const lacksPerl = answer.kind === 'refused' && answer.reason.includes('USE_LIBPCRE');
  return lacksPerl ? search('--extended-regexp') : answer;
}

async function runGrep({
  scratch,
  treeId,
  pattern,
  paths,
  maxMatches,
  timeoutMs,
  syntax,
}: {
  scratch: Scratch;
  treeId: string;
  pattern: string;
  paths: readonly string[];
  maxMatches: number;
  timeoutMs: number;
  syntax: string;
}): Promise<GrepAnswer> {
  const { gitDir } = scratch;
  // A path's own leading colon would be read as pathspec magic.
  const pathspecs = paths.map((path) => (path.startsWith(':') ? `:(literal)${path}` : path));
  const options = ['--line-number', '-I', '--null', '--full-name', '--no-color', '--threads=1', syntax];
  const args = ['grep', ...options, '-e', pattern, treeId, '--', ...pathspecs];
  const running = execa('git', gitArguments({ args }), {
    cwd: gitDir,
    env: gitEnvironment({ gitDir }),
    extendEnv: false,
    stdin: 'ignore',
    buffer: { stdout: false },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    reject: false,
  });
  const matches: GrepMatch[] = [];
  let end: 'complete' | 'limit' | 'time' = 'complete';
  for await (const line of running.iterable({ from: 'stdout' })) {
    const match = readMatch({ line, treeId });
    if (match === undefined) continue;
    if (matches.length === maxMatches) {
      end = 'limit';
      running.kill();
      break;
    }
    matches.push(match);
  }
  const result = await running;
  if (result.timedOut) return { kind: 'matches', matches, end: 'time' };
  // 1 says that nothing matched.
  if (end === 'complete' && result.exitCode !== 0 && result.exitCode !== 1) {
    return { kind: 'refused', reason: result.stderr.trim().slice(0, 500) };
  }
  return { kind: 'matches', matches, end };
}

function readMatch({ line, treeId }: { line: string; treeId: string }): GrepMatch | undefined {
  const [name = '', number, ...text] = line.split('\0');
  if (number === undefined) return undefined;
  return { path: name.slice(treeId.length + 1), line: Number(number), text: text.join('\0').slice(0, MAX_TEXT) };
}
