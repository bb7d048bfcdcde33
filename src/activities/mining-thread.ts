import { parentPort, workerData } from 'node:worker_threads';
import { type MiningTask, mine } from './mining.js';

parentPort?.postMessage(await mine(workerData as MiningTask));
