/**
 * Name of the official image of a SWE-bench instance, `swebench/sweb.eval.x86_64.django_1776_django-12325:latest`.
 *
 * @param namespace registry namespace; null for images that were built on this machine, which keep the `__`
 * @param architecture in the images' own words
 */
export function officialImage({
  instanceId,
  namespace = 'swebench',
  tag = 'latest',
  architecture = 'x86_64',
}: {
  instanceId: string;
  namespace?: string | null;
  tag?: string;
  architecture?: 'x86_64' | 'arm64';
}): string {
  const name = `sweb.eval.${architecture}.${instanceId.toLowerCase()}:${tag}`;
  // Docker refuses two underscores in the names of a registry.
  return namespace === null ? name : `${namespace}/${name.replaceAll('__', '_1776_')}`;
}

/** Names under which an instance's image may be found, the best first: what the row says goes before what we derive. */
export function imageNames({
  instanceId,
  image,
  namespace,
  tag,
}: {
  instanceId: string;
  /** The row's own `image`, if it has one. */
  image?: string | undefined;
  namespace?: string | null;
  tag?: string;
}): readonly string[] {
  const options = { instanceId, ...(tag === undefined ? {} : { tag }) };
  const official = officialImage({ ...options, ...(namespace === undefined ? {} : { namespace }) });
  const local = officialImage({ ...options, namespace: null });
  return [...new Set(image === undefined ? [official, local] : [image])];
}
