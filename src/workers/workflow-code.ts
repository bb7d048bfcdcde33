import { access } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleOption } from '@temporalio/worker';

const BUNDLE = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));
// From source, as tests run it, the entry is TypeScript.
const ENTRY = fileURLToPath(
  new URL(`../workflows/index${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
);

let fromSource: Promise<WorkflowBundleOption> | undefined;

/** The bundle that the build left beside this code; without a build the workflows are bundled once a process. */
export async function workflowCode(): Promise<WorkflowBundleOption> {
  try {
    await access(BUNDLE);
    return { codePath: BUNDLE };
  } catch {
    fromSource ??= bundleWorkflowCode({ workflowsPath: ENTRY, logger: quiet });
    return fromSource;
  }
}

const nothing = (): void => undefined;
/** Webpack reports its progress at length. */
const quiet = { log: nothing, trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };
