import { parentPort } from 'node:worker_threads';
import { mine } from './mining.js';
import type { MiningAnswer, MiningRequest } from './mining-host.js';

parentPort?.on('message', ({ id, task }: MiningRequest) => {
  const answer = (text: MiningAnswer): void => parentPort?.postMessage(text);
  mine(task).then(
    (momentum) => answer({ id, momentum }),
    (error: unknown) => answer({ id, failure: error instanceof Error ? error.message : String(error) }),
  );
});
