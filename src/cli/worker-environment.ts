import { resolve } from 'node:path';

/** Variables of a command that mean nothing to a worker; with them a worker would seem to have other settings. */
const COMMAND_ONLY = [
  'TESTGRAD_MODEL',
  'TESTGRAD_CHECKER_MODEL',
  'TESTGRAD_TASK_QUEUE',
  'TESTGRAD_CACHE',
  'TESTGRAD_CONFIG',
];

/**
 * The environment of this command as a worker process gets it: the state folder by name, and recordings by absolute
 * path, because a worker runs in another folder.
 */
export function workerEnvironment({
  env,
  cwd,
  home,
}: {
  env: NodeJS.ProcessEnv;
  cwd: string;
  home: string;
}): NodeJS.ProcessEnv {
  const paths = ['TESTGRAD_RECORD', 'TESTGRAD_REPLAY'].flatMap((name) => {
    const value = env[name]?.trim();
    return value === undefined || value === '' ? [] : [[name, resolve(cwd, value)] as const];
  });
  const kept = Object.entries(env).filter(([name]) => !COMMAND_ONLY.includes(name));
  return { ...Object.fromEntries(kept), ...Object.fromEntries(paths), TESTGRAD_HOME: home };
}

const RECORDINGS_AND_PRICE = ['TESTGRAD_REPLAY', 'TESTGRAD_RECORD', 'TESTGRAD_PRICE'];

/** An environment without what chooses and prices a model: a worker with it can run tests and asks nobody. */
export const withoutModel = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('OPENAI_') && !RECORDINGS_AND_PRICE.includes(name)),
  );

/**
 * Throws TG-M01 or TG-I14 when no model can be asked with this environment, TG-I03 when the recorded session that it
 * names cannot be read; before anything is started for it.
 */
export async function checkModel(env: NodeJS.ProcessEnv): Promise<void> {
  const { createModelFromEnvironment } = await import('../llm/model-from-environment.js');
  createModelFromEnvironment({ env });
  const { priceOfModel } = await import('../llm/prices.js');
  priceOfModel({ model: '', override: env.TESTGRAD_PRICE });
  const replay = env.TESTGRAD_REPLAY?.trim();
  if (replay) {
    const { readNamedFile } = await import('./inputs/read-file.js');
    await readNamedFile({ path: replay, given: replay, flag: 'TESTGRAD_REPLAY' });
  }
}
