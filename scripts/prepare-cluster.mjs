// Makes what runs need on a Temporal server and in S3-compatible storage, and leaves alone what is there: the namespace,
// the search attributes, the bucket. Reads the same variables as a worker, and TESTGRAD_RETENTION_DAYS (default 30).
import { setTimeout as sleep } from 'node:timers/promises';

const dist = (path) => import(new URL(`../dist/${path}`, import.meta.url));
const { resolveServer } = await dist('workers/connection.js');
const { registerSearchAttributes } = await dist('workers/search-attributes.js');
const { parseS3Location } = await dist('artifacts/s3-location.js');

const GRPC = { notFound: 5, alreadyExists: 6 };
const { env } = process;
const say = (line) => process.stdout.write(`${line}\n`);

/** Until a server that starts answers, and a namespace that is new is known to all of its services. */
async function patiently({ what, work, withinMs = 120_000 }) {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`${what}: ${error.message}`, { cause: error });
      await sleep(1_000);
    }
  }
}

async function prepareTemporal() {
  const server = await resolveServer({ env });
  if (server.kind !== 'configured') throw new Error('TEMPORAL_ADDRESS names no server.');
  const { address, namespace, config } = server;
  const { Connection } = await import('@temporalio/client');
  const connection = await patiently({
    what: `No Temporal server answers at ${address}`,
    work: () => Connection.connect({ address, connectTimeout: 5_000, ...config }),
  });
  try {
    const seconds = Number(env.TESTGRAD_RETENTION_DAYS ?? 30) * 86_400;
    await patiently({
      what: `The namespace ${namespace} cannot be made`,
      work: async () => {
        try {
          await connection.workflowService.describeNamespace({ namespace });
        } catch (error) {
          if (error.code !== GRPC.notFound) throw error;
          await connection.workflowService
            .registerNamespace({ namespace, workflowExecutionRetentionPeriod: { seconds } })
            .catch((refused) => {
              if (refused.code !== GRPC.alreadyExists) throw refused;
            });
        }
      },
    });
    await patiently({
      what: 'The search attributes cannot be registered',
      work: () => registerSearchAttributes({ connection, namespace }),
    });
    say(`Namespace ${namespace} at ${address} is ready.`);
  } finally {
    await connection.close();
  }
}

async function prepareBucket() {
  const named = env.TESTGRAD_ARTIFACTS?.trim();
  if (!named) return;
  const { bucket } = parseS3Location(named);
  const { CreateBucketCommand, HeadBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const endpoint = env.AWS_ENDPOINT_URL_S3 || env.AWS_ENDPOINT_URL;
  const client = new S3Client({
    region: env.AWS_REGION || env.AWS_DEFAULT_REGION || 'us-east-1',
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
  });
  await patiently({
    what: `The bucket ${bucket} cannot be made`,
    work: async () => {
      try {
        await client.send(new HeadBucketCommand({ Bucket: bucket }));
      } catch (error) {
        if (error.$metadata?.httpStatusCode !== 404) throw error;
        await client.send(new CreateBucketCommand({ Bucket: bucket }));
      }
    },
  });
  say(`Bucket ${bucket} is ready.`);
}

try {
  await Promise.all([prepareTemporal(), prepareBucket()]);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
