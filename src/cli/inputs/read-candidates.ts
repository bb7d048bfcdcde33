import { existsSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { InputError } from '../../errors.js';
import { branchPatch } from '../../repository/branch-patch.js';
import { normalisePatch } from '../../repository/normalise-patch.js';
import { readNamedFile } from './read-file.js';

/** A candidate as it was named, with the bytes of its patch. */
export interface NamedPatch {
  /** Who made it; unique. */
  readonly agent: string;
  readonly bytes: Uint8Array;
}

/** `[name=]value`: the name, if there is one, has no slash. `isValue` says that the whole is a value with a `=` in it. */
export function splitName({ given, isValue }: { given: string; isValue: (text: string) => boolean }): {
  name: string | null;
  value: string;
} {
  const at = given.indexOf('=');
  if (at <= 0 || given.slice(0, at).includes('/') || isValue(given)) return { name: null, value: given };
  return { name: given.slice(0, at), value: given.slice(at + 1) };
}

function checkNames(agents: readonly string[]): void {
  const twice = agents.find((agent, index) => agents.indexOf(agent) !== index);
  if (twice === undefined) return;
  throw new InputError({
    code: 'TG-I14',
    what: `Two candidates are called ${JSON.stringify(twice)}.`,
    meaning: 'Reports name candidates, so each needs a name of its own. Nothing was started.',
    fix: 'Name them: --patch first=a/fix.diff --patch second=b/fix.diff.',
  });
}

function checkCount({
  agents,
  allowSingle,
  verb,
}: {
  agents: readonly string[];
  allowSingle: boolean;
  verb: string;
}): void {
  const [only] = agents;
  if (only === undefined) {
    throw new InputError({
      code: 'TG-I00',
      what: 'No candidate was given.',
      meaning: 'There is nothing to choose between. Nothing was started.',
      fix: `Add at least two: testgrad ${verb} … --patch a.diff --patch b.diff, or --branch REF.`,
    });
  }
  if (agents.length === 1 && !allowSingle) {
    throw new InputError({
      code: 'TG-I01',
      what: `Only one candidate was given (${only}).`,
      meaning: 'There is nothing to choose between. Nothing was started.',
      fix: 'Add more with --patch or --branch, or pass --allow-single to only test this one.',
    });
  }
}

/** Throws TG-I02 when no patch can be used, whatever the base is. */
function checkUsable(patches: readonly NamedPatch[]): void {
  const problems = patches.map(({ agent, bytes }) => {
    const found = normalisePatch({ bytes });
    return found.kind === 'excluded' ? `${agent}: ${found.reason}, ${found.detail}` : null;
  });
  if (problems.some((problem) => problem === null)) return;
  throw new InputError({
    code: 'TG-I02',
    what: `None of the ${patches.length} candidates can be used. ${problems.join(' ')}`,
    meaning: 'Nothing was started.',
    fix: 'A candidate is a diff as git diff prints it, against the base.',
  });
}

/** A candidate as it was named on the command line. */
export type NamedCandidate =
  | { readonly kind: 'patch'; readonly agent: string; readonly given: string }
  | { readonly kind: 'branch'; readonly agent: string; readonly ref: string };

/**
 * The candidates of the command line, patches before branches, each in the order given. A patch is named by its file
 * without the ending, a branch by itself, unless a name is given. Reads nothing yet.
 *
 * Throws TG-I00 and TG-I01 for none and one, TG-I14 for equal names.
 */
export function nameCandidates({
  patches,
  branches,
  allowSingle,
  verb,
  cwd,
}: {
  patches: readonly string[];
  branches: readonly string[];
  allowSingle: boolean;
  /** For the message's example. */
  verb: string;
  cwd: string;
}): NamedCandidate[] {
  const named = [
    ...patches.map((given): NamedCandidate => {
      const { name, value } = splitName({ given, isValue: (path) => existsSync(resolve(cwd, path)) });
      return { kind: 'patch', agent: name ?? basename(value, extname(value)), given: value };
    }),
    ...branches.map((given): NamedCandidate => {
      const { name, value } = splitName({ given, isValue: () => false });
      return { kind: 'branch', agent: name ?? value, ref: value };
    }),
  ];
  const agents = named.map(({ agent }) => agent);
  checkCount({ agents, allowSingle, verb });
  checkNames(agents);
  return named;
}

/**
 * Reads the patches of named candidates. Throws TG-I03 for unreadable files, TG-I16 for unknown branches, TG-I02 when
 * none has a usable patch; a single unusable one is excluded by the run, with the reason.
 */
export async function readCandidates({
  named,
  cwd,
  repoDir,
  base,
}: {
  named: readonly NamedCandidate[];
  cwd: string;
  repoDir: string;
  /** Commit that branches are compared with. */
  base: string;
}): Promise<NamedPatch[]> {
  const read: NamedPatch[] = [];
  for (const candidate of named) {
    const { agent } = candidate;
    const bytes =
      candidate.kind === 'patch'
        ? await readNamedFile({ path: resolve(cwd, candidate.given), given: candidate.given, flag: '--patch' })
        : await branchPatch({ repoDir, base, ref: candidate.ref });
    read.push({ agent, bytes });
  }
  checkUsable(read);
  return read;
}
