import { InputError } from '../errors.js';

/** Where a store lies in S3-compatible storage. */
export interface S3Location {
  readonly bucket: string;
  /** Without slashes at its ends; empty for the top of the bucket. */
  readonly prefix: string;
}

/** Reads `s3://bucket` or `s3://bucket/prefix`. Throws TG-I14 for anything else. */
export function parseS3Location(text: string): S3Location {
  const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(text);
  const [, bucket, rest = ''] = match ?? [];
  const prefix = rest.replace(/^\/+|\/+$/g, '');
  // Names that HTTP clients rewrite or that list as something else would split the store in two.
  const isUsable = /^[A-Za-z0-9!_.*'()/-]*$/.test(prefix) && !prefix.split('/').some((part) => /^\.{0,2}$/.test(part));
  if (bucket !== undefined && (prefix === '' || isUsable)) return { bucket, prefix };
  throw new InputError({
    code: 'TG-I14',
    what: `TESTGRAD_ARTIFACTS is ${JSON.stringify(text)}, which names no place in S3-compatible storage.`,
    meaning: 'Where artifacts are kept is unknown, so nothing was started.',
    fix: 'Use s3://bucket or s3://bucket/prefix (letters, digits, - _ . /), or unset it to keep artifacts in the state folder.',
  });
}
