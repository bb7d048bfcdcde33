import type { InstanceSpec } from '../core/instance.js';
import type { FileOutcome } from '../core/outcome.js';
import { SandboxError } from '../errors.js';

/**
 * Refuses outcomes of the base's tests that imported another copy of the code than the repository's: every candidate
 * would look like the installed one. Throws TG-S08.
 */
export function importsOwnCode({ instance, outcome }: { instance: InstanceSpec; outcome: FileOutcome }): void {
  const foreign = foreignImport(outcome);
  if (foreign === null) return;
  const { module, origin } = foreign;
  throw new SandboxError({
    code: 'TG-S08',
    what: `${outcome.file} imports ${module} from ${origin}, not from the candidate's own tree.`,
    meaning: 'All candidates would be tested against the same installed copy, so every outcome would be worthless.',
    fix: `Name the folder that holds ${module} with --python-path (for ${instance.repository.path}/src: --python-path src), or uninstall the copy from ${instance.environment.python}'s environment.`,
  });
}

/**
 * The outcome of a candidate's tests as it counts: where the base imports its own code and a candidate does not, the
 * candidate took the module away, and what its tests did says nothing about its change.
 */
export function withOwnCode(outcome: FileOutcome): FileOutcome {
  const foreign = foreignImport(outcome);
  if (foreign === null) return outcome;
  const reason = `${foreign.module} was imported from an installed copy: the candidate's own tree no longer provides it.`;
  return { ...outcome, state: 'not-collected', reason, outcomes: [] };
}

/** The first module that came from elsewhere; the recorder reports paths inside of the repository as relative ones. */
function foreignImport(outcome: FileOutcome): { readonly module: string; readonly origin: string } | null {
  const [module, origin] = Object.entries(outcome.imports).find(([, place]) => place.startsWith('/')) ?? [];
  return module === undefined || origin === undefined ? null : { module, origin };
}
