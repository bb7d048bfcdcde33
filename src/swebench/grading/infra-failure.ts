/** Whether only the environment can be at fault, or the patch as well. */
export type InfraTier = 'environment' | 'ambiguous';

const SIGNATURES: readonly (readonly [reason: string, tier: InfraTier, pattern: RegExp])[] = [
  ['browser_launch_failed', 'environment', /Failed to launch|Failed to connect to the bus/],
  ['display_unavailable', 'environment', /cannot open display|Missing X server|unable to open X display/],
  ['out_of_memory', 'environment', /Cannot allocate memory|OutOfMemoryError|(?<![^\n])Killed(?![^\n])/],
  ['container_unavailable', 'environment', /Error response from daemon|Cannot connect to the Docker daemon/],
  ['network_unreachable', 'environment', /Could not resolve host|Temporary failure in name resolution/],
  ['missing_module', 'ambiguous', /Cannot find module|MODULE_NOT_FOUND|ModuleNotFoundError/],
  ['no_tests_collected', 'ambiguous', /no tests ran|collected 0 items/],
  ['tests_timed_out', 'ambiguous', /Timeout error: \p{Nd}+ seconds exceeded/u],
];

/** A likely reason, outside of the patch, for a run without a result. */
export interface InfraFailure {
  readonly reason: string;
  readonly tier: InfraTier;
}

/** Looks for the v5 harness's signs of a broken environment, the first that fits; it never changes a verdict. */
export function classifyFailure(log: string): InfraFailure | null {
  const found = SIGNATURES.find(([, , pattern]) => pattern.test(log));
  return found === undefined ? null : { reason: found[0], tier: found[1] };
}
