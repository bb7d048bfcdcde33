import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { failureOf, storageError } from './s3-errors.js';
import type { S3Location } from './s3-location.js';

/** An object as read back. */
export interface S3Object {
  readonly bytes: Buffer;
  /** Who wrote it, as given to `create`; null for an object of `put`. */
  readonly writer: string | null;
}

/** The few things a store needs of a bucket. Names are relative to the location's prefix. */
export interface S3Bucket {
  /** The object, or undefined when there is none. */
  readonly read: (name: string) => Promise<S3Object | undefined>;
  /** Length in bytes and SHA-256 (base64, null when the storage keeps none), or undefined when there is none. */
  readonly head: (name: string) => Promise<{ readonly bytes: number; readonly sha256: string | null } | undefined>;
  /** Writes whatever is there; the storage verifies `sha256` (base64). */
  readonly put: (object: { name: string; bytes: Uint8Array; mediaType: string; sha256: string }) => Promise<void>;
  /** Writes only where nothing is: false when something was. */
  readonly create: (object: { name: string; bytes: Uint8Array; writer: string }) => Promise<boolean>;
  /** Names that begin with `start`, in their order, behind `after`. */
  readonly list: (range: { start: string; after?: string }) => Promise<string[]>;
}

const ATTEMPTS = 5;
const CONFLICT_ATTEMPTS = 6;
const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 60_000;

/**
 * A bucket by the standard variables: AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID with
 * AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; without keys the SDK's usual chain (profiles, web identity, instance).
 *
 * Nothing is loaded or connected before the first use. Each request is sent up to five times with growing pauses and
 * bounded time; then it rejects with TG-E03, TG-E10 or TG-E11.
 */
export function s3Bucket({ location, env }: { location: S3Location; env: NodeJS.ProcessEnv }): S3Bucket {
  const { bucket, prefix } = location;
  const keyOf = (name: string): string => (prefix === '' ? name : `${prefix}/${name}`);
  const nameOf = (key: string): string => (prefix === '' ? key : key.slice(prefix.length + 1));
  let connected: ReturnType<typeof connect> | undefined;

  const send = async <T>(work: (sdk: Awaited<ReturnType<typeof connect>>) => Promise<T>): Promise<T> => {
    connected ??= connect(env);
    const sdk = await connected;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(sdk);
      } catch (error) {
        const failure = failureOf(error);
        if (failure === 'absent' || failure === 'exists') throw error;
        if (failure !== 'conflict' || attempt === CONFLICT_ATTEMPTS) throw storageError({ error, location });
        await sleep(50 * 2 ** attempt * (0.5 + Math.random()));
      }
    }
  };

  return {
    read: (name) =>
      orUndefined(
        send(async ({ client, sdk }) => {
          const { Body, Metadata } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: keyOf(name) }));
          const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
          return { bytes, writer: Metadata?.[WRITER] ?? null };
        }),
      ),

    head: (name) =>
      orUndefined(
        send(async ({ client, sdk }) => {
          const found = await client.send(
            new sdk.HeadObjectCommand({ Bucket: bucket, Key: keyOf(name), ChecksumMode: 'ENABLED' }),
          );
          return { bytes: found.ContentLength ?? 0, sha256: found.ChecksumSHA256 ?? null };
        }),
      ),

    put: ({ name, bytes, mediaType, sha256 }) =>
      send(async ({ client, sdk }) => {
        const object = { Bucket: bucket, Key: keyOf(name), Body: bytes, ContentType: mediaType };
        await client.send(new sdk.PutObjectCommand({ ...object, ChecksumAlgorithm: 'SHA256', ChecksumSHA256: sha256 }));
      }),

    create: async ({ name, bytes, writer }) => {
      try {
        await send(async ({ client, sdk }) => {
          const object = { Bucket: bucket, Key: keyOf(name), Body: bytes, Metadata: { [WRITER]: writer } };
          await client.send(new sdk.PutObjectCommand({ ...object, IfNoneMatch: '*' }));
        });
        return true;
      } catch (error) {
        if (failureOf(error) === 'exists') return false;
        throw error;
      }
    },

    list: ({ start, after }) =>
      send(async ({ client, sdk }) => {
        const names: string[] = [];
        const range = { Bucket: bucket, Prefix: keyOf(start) };
        const first = after === undefined ? range : { ...range, StartAfter: keyOf(after) };
        for await (const page of sdk.paginateListObjectsV2({ client }, first)) {
          for (const { Key } of page.Contents ?? []) if (Key !== undefined) names.push(nameOf(Key));
        }
        return names;
      }),
  };
}

/** Metadata that tells our own write, whose answer was lost, from another one's. */
const WRITER = 'testgrad-writer';

async function connect(env: NodeJS.ProcessEnv) {
  const sdk = await import('@aws-sdk/client-s3');
  const endpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL;
  const region = env.AWS_REGION || env.AWS_DEFAULT_REGION || (endpoint ? 'us-east-1' : undefined);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = env;
  const client: S3Client = new sdk.S3Client({
    ...(region === undefined ? {} : { region }),
    // Storage of one's own seldom has a host name for each bucket.
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(accessKeyId && secretAccessKey && !env.AWS_PROFILE
      ? { credentials: { accessKeyId, secretAccessKey, ...(token ? { sessionToken: token } : {}) } }
      : {}),
    maxAttempts: ATTEMPTS,
    // Content is verified against its name; checksums in trailers are unknown to much S3-compatible storage.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      throwOnRequestTimeout: true,
    },
  });
  return { client, sdk };
}

async function orUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (failureOf(error) === 'absent') return undefined;
    throw error;
  }
}
