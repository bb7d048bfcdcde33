// Time of the product's miners, by the same procedure as VmspTimes.java times the other one.

/** Calls that are timed together last this long. */
const BATCH_MS = 20;

/**
 * Median CPU time of one call in milliseconds of this thread, after warming up for `budgetMs`. CPU time, because what
 * else the machine does would show in wall time.
 */
export function timeCalls({ call, budgetMs }) {
  let calls = 0;
  let start = now();
  while (calls === 0 || now() - start < budgetMs) {
    call();
    calls += 1;
  }
  const together = Math.max(1, Math.floor(BATCH_MS / ((now() - start) / calls)));
  const times = [];
  start = now();
  while (times.length < 3 || now() - start < budgetMs) {
    const before = now();
    for (let index = 0; index < together; index += 1) call();
    times.push((now() - before) / together);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)];
}

function now() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
