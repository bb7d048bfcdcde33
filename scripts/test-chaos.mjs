// Kills workers, the local server and a Docker daemon at random moments during selections, benchmarks and selections in
// containers with a scripted model, and checks after each run that nothing was lost:
// `npm run test:chaos -- --minutes 20 --seed 1`. Ends with `N runs, K kills, N lost`.
import { parseArgs } from 'node:util';
import '../test/support/ts-source.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    // Most of a run is waiting until the server misses a dead worker.
    lanes: { type: 'string', default: '6' },
    only: { type: 'string' },
  },
});
const { runChaos } = await import('../test/chaos/run-chaos.ts');
const { KINDS } = await import('../test/chaos/scenes.ts');
if (values.only !== undefined && !KINDS.includes(values.only)) {
  process.stderr.write(`--only ${values.only}: it is one of ${KINDS.join(', ')}.\n`);
  process.exit(2);
}

const broken = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => broken.abort());
const { runs, kills, repeats, interrupted, lost } = await runChaos({
  minutes: Number(values.minutes),
  seed: Number(values.seed),
  lanes: Number(values.lanes),
  only: values.only,
  signal: broken.signal,
  tell: (line) => process.stdout.write(`${line}\n`),
});
const cutOff = Object.entries(interrupted).sort(([, a], [, b]) => b - a);
process.stdout.write(
  [
    '',
    `${kills.worker} workers, ${kills.server} servers and ${kills.daemon} daemons killed`,
    `repeated: ${repeats.asked} calls of the model (${repeats.counted} counted), ${repeats.executed} test files`,
    `cut off: ${cutOff.map(([activity, times]) => `${activity} ${times}`).join(', ')}`,
    `${runs} runs, ${kills.worker + kills.server + kills.daemon} kills, ${lost} lost`,
    '',
  ].join('\n'),
);
// Runs that were broken off still wait for something.
process.exit(lost === 0 && runs > 0 && !broken.signal.aborted ? 0 : 1);
