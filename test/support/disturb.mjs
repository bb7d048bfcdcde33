// Preloaded into a worker's process: `TEST_DISTURB=block:35000` holds up its event loop for so many milliseconds at
// SIGUSR2, while the threads behind it go on; `TEST_DISTURB=clock:7200000,-7200000` sets the clock that its code sees
// by so much, one jump a signal.
const [kind, amounts = ''] = (process.env.TEST_DISTURB ?? '').split(':');
const steps = amounts.split(',').map(Number);
const RealDate = Date;
let offsetMs = 0;

class JumpingDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offsetMs);
    else super(...args);
  }

  static now() {
    return RealDate.now() + offsetMs;
  }
}

if (kind === 'clock') globalThis.Date = JumpingDate;
process.on('SIGUSR2', () => {
  const step = steps.shift() ?? 0;
  if (kind === 'clock') offsetMs += step;
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, step);
  process.stderr.write(`disturbed: ${kind} ${step}\n`);
});
