#!/usr/bin/env node
import { nodeProblem } from './node-version.js';

// What follows is loaded only when this Node can read it.
const problem = nodeProblem(process.versions.node);
if (problem === null) {
  const { run } = await import('./program.js');
  process.exitCode = await run({ argv: process.argv.slice(2), env: process.env });
} else {
  process.stderr.write(problem);
  process.exitCode = 5;
}
