import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Hub, type HubFile, HubUnreachable, hubGet } from './hub-client.js';

const ANSWER_TIMEOUT_MS = 60_000;
/** A transfer from which nothing came for so long has stalled. */
const STALL_TIMEOUT_MS = 60_000;
const ATTEMPTS = 3;

/**
 * Brings a file of a dataset to `path`, complete or not at all, and checks its length and hash against what the hub
 * states. A file that is there is kept. Throws {@link HubUnreachable} when three transfers did not succeed.
 */
export async function downloadFile({
  hub,
  id,
  commit,
  file,
  path,
}: {
  hub: Hub;
  id: string;
  commit: string;
  file: HubFile;
  path: string;
}): Promise<void> {
  if ((await stat(path).catch(() => null)) !== null) return;
  await mkdir(dirname(path), { recursive: true });
  const encoded = file.path.split('/').map(encodeURIComponent).join('/');
  const url = `${hub.endpoint}/datasets/${id}/resolve/${commit}/${encoded}`;
  let last = '';
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const partial = `${path}.${randomUUID()}.part`;
    try {
      const response = await hubGet({ hub, url, id, timeoutMs: ANSWER_TIMEOUT_MS });
      const problem = await receive({ response, file, partial });
      if (problem === null) {
        await rename(partial, path);
        return;
      }
      last = problem;
    } finally {
      await rm(partial, { force: true });
    }
  }
  throw new HubUnreachable(`${hub.endpoint}: ${file.path}: ${last}`);
}

/** Writes the answer's body; a problem in words where it is not what was announced. */
async function receive({
  response,
  file,
  partial,
}: {
  response: Response;
  file: HubFile;
  partial: string;
}): Promise<string | null> {
  const hash = createHash('sha256');
  let bytes = 0;
  const output = await open(partial, 'wx');
  const reader = response.body?.getReader();
  try {
    while (reader !== undefined) {
      const part = await withinTime(reader.read());
      if (part === null) return 'the transfer stalled';
      if (part.done) break;
      hash.update(part.value);
      bytes += part.value.length;
      await output.write(part.value);
    }
    await output.sync();
  } catch (error) {
    return error instanceof TypeError ? `the transfer broke off (${error.message})` : Promise.reject(error);
  } finally {
    await reader?.cancel().catch(() => undefined);
    await output.close();
  }
  if (file.bytes !== null && bytes !== file.bytes) return `${bytes} of ${file.bytes} bytes came`;
  if (file.sha256 !== null && hash.digest('hex') !== file.sha256) return 'its content is not what was announced';
  return null;
}

async function withinTime<T>(work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), STALL_TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
