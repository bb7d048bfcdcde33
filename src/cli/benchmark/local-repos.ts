import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { InstanceSource } from '../../core/benchmark-plan.js';
import { InputError } from '../../errors.js';
import { choosePython } from '../inputs/choose-python.js';
import { readNamedFile } from '../inputs/read-file.js';

const FILE = z.record(
  z.string().regex(/^[\w.-]+\/[\w.-]+$/, 'is not owner/name'),
  z.strictObject({
    git: z.string().min(1),
    python: z.string().min(1).optional(),
    testCmd: z.string().min(1).default('python -m pytest'),
    pythonPath: z.array(z.string()).default([]),
  }),
);

/** Sources by repository. */
export type LocalRepos = ReadonlyMap<string, Extract<InstanceSource, { kind: 'local' }>>;

/**
 * Reads the file of --local-repos: YAML that says of each repository where a checkout with its base commits is, which
 * interpreter has its requirements, and how its tests are started. Relative paths start from the file.
 *
 * Throws TG-I03 when it cannot be read, TG-I14 for what is not this, TG-E08 for an interpreter that is not there.
 */
export async function readLocalRepos({
  given,
  cwd,
  env,
  python,
  sandbox,
  timeoutMs,
}: {
  given: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Interpreter of the repositories that name none; as --python says. */
  python: string | undefined;
  sandbox: 'bubblewrap' | 'none';
  timeoutMs: number;
}): Promise<LocalRepos> {
  const path = resolve(cwd, given);
  const text = Buffer.from(await readNamedFile({ path, given, flag: '--local-repos' })).toString('utf8');
  const entries = Object.entries(entriesOf({ text, given }));
  const folder = dirname(path);
  const sources = new Map<string, Extract<InstanceSource, { kind: 'local' }>>();
  for (const [repo, entry] of entries) {
    const git = resolve(folder, entry.git);
    const own = entry.python;
    const found = await choosePython({
      given: own?.includes('/') ? resolve(folder, own) : (own ?? python),
      repoDir: git,
      cwd,
      env,
    });
    const { pythonPath, testCmd } = entry;
    sources.set(repo, { kind: 'local', git, python: found, testCommand: testCmd, pythonPath, sandbox, timeoutMs });
  }
  return sources;
}

function entriesOf({ text, given }: { text: string; given: string }): z.infer<typeof FILE> {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw unusable({ given, problem: (error as Error).message.split('\n')[0] ?? '' });
  }
  const parsed = FILE.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw unusable({ given, problem: `${issue?.path.join('.') || 'the file'}: ${issue?.message ?? ''}` });
}

function unusable({ given, problem }: { given: string; problem: string }): InputError {
  return new InputError({
    code: 'TG-I14',
    what: `--local-repos ${given}: ${problem}.`,
    meaning: 'Nothing was started.',
    fix: 'It is YAML: owner/name: {git: DIR, python: PATH, testCmd: "python -m pytest", pythonPath: [src]}.',
  });
}
