import { fileURLToPath } from 'node:url';
import { TestgradError } from '../errors.js';
import type { Session } from './session.js';
import { checkModel, withoutModel } from './worker-environment.js';

/** The program that a worker process runs. */
const MAIN_FILE = fileURLToPath(new URL('./main.js', import.meta.url));

/**
 * Makes sure that a worker of the local server takes the work of `taskQueue`; on a configured server that is the
 * operator's business.
 *
 * A queue that is not this command's own keeps the worker that it has, whatever that one's code and settings: runs in
 * work go on with the model they were started with. Only when none runs one is started: with this command's model for
 * a run that needs one, without any for another run. Throws TG-M01, TG-I14 or TG-I03 when a model is needed and this
 * command has none, before anything is started.
 */
export async function ensureLocalWorker({
  session,
  home,
  env,
  taskQueue,
  own,
  needsModel,
  note,
  mainFile = MAIN_FILE,
}: {
  session: Session;
  home: string;
  /** As from `workerEnvironment`. */
  env: NodeJS.ProcessEnv;
  taskQueue: string;
  /** True when the queue stands for this command's model setting. */
  own: boolean;
  needsModel: boolean;
  note: (line: string) => void;
  /** Default: this program's. */
  mainFile?: string;
}): Promise<void> {
  if (!session.local) return;
  const { target } = session;
  const { ensureWorker, servingWorker } = await import('../workers/local-worker.js');
  if (needsModel && (await servingWorker({ home, taskQueue, target })) === null) {
    await checkModel(env).catch((error: unknown) => {
      throw own ? error : noModelFor({ taskQueue, error });
    });
  }
  await ensureWorker({
    home,
    taskQueue,
    mainFile,
    target,
    env: own || needsModel ? env : withoutModel(env),
    keep: !own,
    report: note,
  });
}

/** A worker for runs that were started elsewhere: which variables are missing is for that setting to say. */
function noModelFor({ taskQueue, error }: { taskQueue: string; error: unknown }): unknown {
  if (!(error instanceof TestgradError)) return error;
  return new TestgradError({
    code: error.code,
    what: `No worker runs for the queue of this run (${taskQueue}), and none can be started from here. ${error.what}`,
    meaning: 'The run waits; nothing is lost.',
    fix: 'Set the variables that it was started with (OPENAI_API_KEY and OPENAI_BASE_URL, or TESTGRAD_REPLAY), and try again.',
    cause: error,
  });
}
