import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InstanceSpec } from '../../core/instance.js';
import { STATE_FOLDERS } from '../../core/state-folder.js';
import { normaliserProgram, type RunNormaliser } from '../../methods/agentless/normaliser.js';
import { baseEnvironment } from '../../runners/plan.js';
import { rootInside, runInSandbox } from '../../sandbox/sandbox.js';
import { refuseBroken } from '../broken-sandbox.js';
import { discard } from '../discard.js';
import { activityOwner, activitySignal } from '../owner.js';
import { pythonOnHost } from '../python-host.js';
import type { Services } from '../services.js';

const TIMEOUT_MS = 60_000;

// Half of it is kept from the beginning and half from the end: an answer must not be cut.
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Runs the normaliser on the instance's Python, in a sandbox with nothing but its input: it parses what candidates wrote.
 * Null where it fails, as on a Python before 3.9; when Docker broke under it, it throws TG-E01 or TG-S09.
 */
export function normaliserOn({
  services,
  instance,
  runId,
}: {
  services: Services;
  instance: InstanceSpec;
  runId: string;
}): RunNormaliser {
  return async (input) => {
    const { environment, repository } = instance;
    const signal = activitySignal();
    const dir = join(services.home, STATE_FOLDERS.work, 'runs', runId, randomUUID());
    const [treeDir, scratchDir] = [join(dir, 'tree'), join(dir, 'scratch')];
    try {
      for (const each of [treeDir, join(scratchDir, 'home'), join(scratchDir, 'tmp')]) {
        await mkdir(each, { recursive: true });
      }
      const inputFile = join(scratchDir, 'sources.json');
      await writeFile(inputFile, input);
      const python = await pythonOnHost(instance);
      const program = normaliserProgram();
      const root = rootInside({ kind: environment.sandbox, treeDir, mountAt: repository.path });
      const { exit, stdout } = await runInSandbox({
        kind: environment.sandbox,
        treeDir,
        mountAt: repository.path,
        argv: [environment.python, '-I', program, inputFile],
        env: baseEnvironment({ environment, root, scratchDir }),
        readOnlyPaths: [...python.readOnlyPaths, dirname(program)],
        scratchDir,
        limits: { ...environment.limits, timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES },
        owner: activityOwner({ services, runId }),
        signal,
        ...(environment.image === undefined ? {} : { docker: { image: environment.image } }),
      });
      if (exit.kind === 'cancelled') signal.throwIfAborted();
      refuseBroken({ exit, of: 'what compares programs' });
      return exit.kind === 'exited' && exit.code === 0 ? stdout : null;
    } finally {
      await discard(dir);
    }
  };
}
