import { describeImagePython } from '../../activities/image-python.js';
import { InputError } from '../../errors.js';
import type { RepositoryFacts } from '../../repository/inspect-repository.js';
import { testEnvironment } from '../../runners/test-environment.js';
import { readImageBase } from '../../sandbox/docker-base.js';
import { buildImage } from '../../sandbox/docker-build.js';
import { requireDocker } from '../../sandbox/docker-daemon.js';
import { imageTree } from '../../sandbox/docker-image-tree.js';
import { ensureImage } from '../../sandbox/docker-pull.js';
import { ownerOfThisProcess } from '../../sandbox/owner.js';
import type { SandboxOwner } from '../../sandbox/sandbox.js';
import type { Invocation } from '../invocation.js';
import type { OptionValues } from '../option-values.js';
import type { BuiltEnvironment, CommonEnvironment } from './build-environment.js';

/** True when the tests are to run in containers. */
export const isImageNamed = (values: OptionValues): boolean =>
  values.text('image') !== undefined || values.text('dockerfile') !== undefined;

/**
 * An environment in an image that was named, or that is built from a Dockerfile. The image is there afterwards, and the
 * environment names it by its id, without the history of a repository that it may hold.
 *
 * Throws TG-I14 for both flags at once, the errors of Docker (TG-E01 to TG-E05), TG-S03 without a usable interpreter.
 */
export async function imageEnvironment({
  invocation,
  facts,
  home,
  common,
}: {
  invocation: Invocation;
  facts: RepositoryFacts;
  home: string;
  common: CommonEnvironment;
}): Promise<BuiltEnvironment & { readonly leftOut: readonly string[] }> {
  const { values } = invocation;
  await requireDocker();
  const mountAt = values.text('imageDir') ?? facts.topLevel;
  const owner = ownerOfThisProcess({ runId: 'inputs', activityId: 'inputs', home });
  const named = await namedImage(invocation);
  const image = await withoutHistory({ image: named, mountAt, owner });
  const description = await describeImagePython({ image, python: values.text('python'), mountAt, owner });
  const { executable: python } = description;
  return { ...testEnvironment({ ...common, python, description, sandbox: 'docker', image }), mountAt };
}

async function namedImage({ values, terminal }: Invocation): Promise<string> {
  const [image, dockerfile] = [values.text('image'), values.text('dockerfile')];
  if (image !== undefined && dockerfile !== undefined) {
    throw new InputError({
      code: 'TG-I14',
      what: '--image and --dockerfile were both given.',
      meaning: 'Each names the image in which the tests run. Nothing was started.',
      fix: 'Give one of them.',
    });
  }
  const onProgress = (text: string): void => terminal.note(`image: ${text}`);
  if (dockerfile !== undefined) return buildImage({ dockerfile });
  return (await ensureImage({ names: [image ?? ''], onProgress })).id;
}

/** What later commits in the image's own repository show, a test could print. */
async function withoutHistory({
  image,
  mountAt,
  owner,
}: {
  image: string;
  mountAt: string;
  owner: SandboxOwner;
}): Promise<string> {
  const tree = await imageTree({ imageId: image, mountAt, owner });
  return tree.size === 0 ? image : (await readImageBase({ image, mountAt, owner })).imageId;
}
