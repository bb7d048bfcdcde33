// Opens a container for a run and waits to be killed.
import { openSession } from '../../../src/sandbox/docker-session.js';
import { ownerOfThisProcess } from '../../../src/sandbox/owner.js';

const [image = '', runId = ''] = process.argv.slice(2);
const limits = { timeoutMs: 600_000, memoryBytes: 256 * 1024 ** 2, maxProcesses: 16, maxOutputBytes: 1_000 };
const owner = ownerOfThisProcess({ runId, activityId: '1' });
await openSession({ image, workingDir: '/', limits, lifetimeMs: 600_000, owner });
process.stdout.write('open\n');
setInterval(() => undefined, 60_000);
