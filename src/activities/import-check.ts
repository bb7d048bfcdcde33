import type { InstanceSpec } from '../core/instance.js';
import type { FileOutcome } from '../core/outcome.js';
import { SandboxError } from '../errors.js';

/**
 * Refuses outcomes of tests that imported another copy of the code than the candidate's: every candidate would look
 * like the installed one. The recorder reports paths inside the repository as relative ones. Throws TG-S08.
 */
export function importsOwnCode({ instance, outcome }: { instance: InstanceSpec; outcome: FileOutcome }): void {
  for (const [module, origin] of Object.entries(outcome.imports)) {
    if (!origin.startsWith('/')) continue;
    throw new SandboxError({
      code: 'TG-S08',
      what: `${outcome.file} imports ${module} from ${origin}, not from the candidate's own tree.`,
      meaning: 'All candidates would be tested against the same installed copy, so every outcome would be worthless.',
      fix: `Name the folder that holds ${module} with --python-path (for ${instance.repository.path}/src: --python-path src), or uninstall the copy from ${instance.environment.python}'s environment.`,
    });
  }
}
