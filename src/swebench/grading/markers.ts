/** Lines of a run's log that the harness looks for, as it writes them. */
export const MARKERS = {
  start: '>>>>> Start Test Output',
  end: '>>>>> End Test Output',
  exitCode: '>>>>> Test Exit Code',
  applied: '>>>>> Applied Patch',
  applyFailed: '>>>>> Patch Apply Failed',
  resetFailed: '>>>>> Reset Failed',
  testsErrored: '>>>>> Tests Errored',
  testsTimedOut: '>>>>> Tests Timed Out',
} as const;
