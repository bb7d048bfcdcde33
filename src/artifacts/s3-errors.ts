import { EnvironmentError, StoreError } from '../errors.js';
import type { S3Location } from './s3-location.js';

/** What an S3 failure means to a caller. */
export type S3Failure = 'absent' | 'exists' | 'conflict' | 'refused' | 'full' | 'unreachable';

const REFUSED = [
  'AccessDenied',
  'AuthorizationHeaderMalformed',
  'CredentialsProviderError',
  'ExpiredToken',
  'Forbidden',
  'InvalidAccessKeyId',
  'InvalidBucketName',
  'NoSuchBucket',
  'NotImplemented',
  'PermanentRedirect',
  'SignatureDoesNotMatch',
];

/** Sorts an error of the S3 client, after its own retries. */
export function failureOf(error: unknown): S3Failure {
  const { name, status } = facts(error);
  if (name === 'XMinioStorageFull' || status === 507) return 'full';
  if (REFUSED.includes(name) || isWithoutRegion(error)) return 'refused';
  if (status === 404) return 'absent';
  if (status === 412) return 'exists';
  // Two conditional writes of one name at one time: one of them is asked to try again.
  if (status === 409) return 'conflict';
  // Anything else that a client is blamed for stays as it is however often it is asked.
  if (status === 401 || status === 403 || status === 301 || status === 400 || status === 501) return 'refused';
  return 'unreachable';
}

/** The error for a person: TG-E03, TG-E10 (tried again later) or TG-E11 (not tried again). */
export function storageError({ error, location }: { error: unknown; location: S3Location }) {
  const place = `s3://${location.bucket}${location.prefix === '' ? '' : `/${location.prefix}`}`;
  const { name, status, message } = facts(error);
  // The message of a client error may be long, and may repeat the request; its kind is what helps.
  const reason = `${name}${status === undefined ? '' : `, HTTP ${status}`}: ${message}`.slice(0, 300);
  const failure = failureOf(error);
  if (failure === 'full') {
    return new EnvironmentError({
      code: 'TG-E03',
      what: `No space left in the storage behind ${place} (${reason}).`,
      meaning: 'The run waits; what was stored before is complete.',
      fix: 'Free some space; the run goes on by itself, or run the same command again.',
      cause: error,
    });
  }
  if (failure === 'unreachable' || failure === 'conflict') {
    return new StoreError({
      code: 'TG-E10',
      what: `The artifact store ${place} does not answer (${reason}).`,
      meaning: 'The run waits and tries again; what was stored before is complete.',
      fix: 'Check AWS_ENDPOINT_URL_S3, AWS_REGION and the network; the run goes on by itself.',
      cause: error,
    });
  }
  return new StoreError({
    code: 'TG-E11',
    what: `The artifact store ${place} refuses (${reason}).`,
    meaning: 'Nothing can be kept there, so the run cannot go on; what was stored before is complete.',
    fix: 'Check that the bucket is there, AWS_REGION, and that the credentials may s3:GetObject, s3:PutObject and s3:ListBucket.',
    cause: error,
  });
}

/** The error for storage that lets a second writer replace the first one. */
export function unconditional({ location }: { location: S3Location }) {
  return new StoreError({
    code: 'TG-E11',
    what: `The storage behind s3://${location.bucket} ignores conditional writes (If-None-Match).`,
    meaning: 'Two workers could go on from different answers, so nothing was stored.',
    fix: 'Use storage that has them (Amazon S3, MinIO since 2024, Ceph since Tentacle), or keep artifacts in the state folder.',
  });
}

function facts(error: unknown): { name: string; status: number | undefined; message: string } {
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  return { name: name ?? 'Error', status: $metadata?.httpStatusCode, message: message ?? String(error) };
}

const isWithoutRegion = (error: unknown): boolean => /region is missing/i.test(facts(error).message);
