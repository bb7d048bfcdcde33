import { exitCodeOf, type TestgradError } from '../../../src/errors.js';
import { requireDocker } from '../../../src/sandbox/docker-daemon.js';

// Loaded while this process may still read everything.
await import('dockerode');
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(65534);
  process.setuid?.(65534);
}
const error = (await requireDocker().catch((thrown: unknown) => thrown)) as TestgradError;
process.stdout.write(JSON.stringify({ code: error.code, exitCode: exitCodeOf(error), fix: error.fix }));
process.exit(0);
