// Runs one endless sandbox; a test kills this process and looks at what is left.
import { ownerOfThisProcess } from '../../../src/sandbox/owner.js';
import type { SandboxKind } from '../../../src/sandbox/sandbox.js';
import { runInSandbox } from '../../../src/sandbox/sandbox.js';

const [kind, treeDir, scratchDir, mark] = process.argv.slice(2);
if (treeDir === undefined || scratchDir === undefined || mark === undefined) throw new Error('arguments missing');
const inner = 'import time; time.sleep(600)';
const program = `
import subprocess, sys, time
subprocess.Popen([sys.executable, '-c', '${inner}', '${mark}'], start_new_session=True)
open('started', 'w').close()
time.sleep(600)
`;
await runInSandbox({
  kind: kind as SandboxKind,
  treeDir,
  mountAt: treeDir,
  argv: ['python3', '-c', program, mark],
  env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  readOnlyPaths: [],
  scratchDir,
  limits: { timeoutMs: 60_000, memoryBytes: 1024 ** 3, maxProcesses: 32, maxOutputBytes: 1_000 },
  owner: ownerOfThisProcess({ runId: `run-${mark}`, activityId: 'endless', home: treeDir }),
});
