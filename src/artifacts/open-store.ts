import { createFileStore } from './file-store.js';
import { s3Bucket } from './s3-bucket.js';
import { parseS3Location } from './s3-location.js';
import { createS3Store } from './s3-store.js';
import type { ArtifactStore } from './store.js';

/**
 * The store that the environment names: `TESTGRAD_ARTIFACTS=s3://bucket/prefix`, else the folder `dir`. Commands and
 * workers of one run must name the same one. Nothing is read or connected here. Throws TG-I14 for another value.
 */
export function openArtifacts({ env, dir }: { env: NodeJS.ProcessEnv; dir: string }): ArtifactStore {
  const named = env.TESTGRAD_ARTIFACTS?.trim();
  if (named === undefined || named === '') return createFileStore({ dir });
  const location = parseS3Location(named);
  return createS3Store({ bucket: s3Bucket({ location, env }), location });
}
