#!/usr/bin/env node
import { nodeProblem } from './node-version.js';

const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

// What follows is loaded only when this Node can read it.
const problem = nodeProblem(process.versions.node);
if (problem === null) {
  const { run } = await import('./program.js');
  const exitCode = await run({ argv: process.argv.slice(2), env: process.env });
  // A command that leaves a run has calls to the server in flight, which would hold the process for a while.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit(exitCode);
} else {
  process.stderr.write(problem);
  process.exitCode = 5;
}
