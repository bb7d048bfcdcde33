import { lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isWithin } from './paths.js';
import type { SandboxRequest } from './types.js';

/** Name and number of the user inside; never 0, so that tests behave as under a developer's account. */
const USER = { name: 'testgrad', id: 1000 } as const;

/** Directories of the operating system, symbolic links to `/usr` on most of today's systems. */
const SYSTEM_DIRS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'] as const;

/** What programs need of `/etc`; no accounts, no keys, no host names, no resolver. */
const ETC_PATHS = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'crypto-policies',
  'debian_version',
  'fonts',
  'gai.conf',
  'host.conf',
  'inputrc',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'locale.alias',
  'locale.conf',
  'localtime',
  'magic',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'pki/ca-trust',
  'pki/tls/certs',
  'protocols',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
  'terminfo',
  'timezone',
].map((name) => join('/etc', name));

/** Size of each memory-backed directory inside: /tmp, the home, /dev/shm. */
const SCRATCH_BYTES = 1024 ** 3;

/** A file made for the sandbox; bubblewrap reads its text from a descriptor. */
export interface DataFile {
  readonly path: string;
  readonly text: string;
}

/** Home directory of the user inside: HOME of the request when it is a path of its own. */
export function homeOf({ env }: SandboxRequest): string {
  const home = env.HOME;
  return home === undefined || !isAbsolute(home) || isWithin('/usr', home) ? `/home/${USER.name}` : home;
}

/** Files that identify a machine or its users, replaced by neutral ones that are the same everywhere. */
export function dataFiles({ home }: { home: string }): readonly DataFile[] {
  const { name, id } = USER;
  return [
    {
      path: '/etc/passwd',
      text: `root:x:0:0:root:/:/bin/sh\n${name}:x:${id}:${id}::${home}:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n`,
    },
    { path: '/etc/group', text: `root:x:0:\n${name}:x:${id}:\nnogroup:x:65534:\n` },
    { path: '/etc/hosts', text: `127.0.0.1 localhost ${name}\n::1 localhost\n` },
  ];
}

/**
 * Arguments of `bwrap` for a request, the program's own included.
 *
 * The root is an empty read-only directory; later mounts cover earlier ones, hence the order: system, memory-backed
 * directories, read-only paths, the candidate's tree, read-only paths inside of it (a `.venv` in the repository),
 * the scratch directory.
 *
 * @param blockFd descriptor on which the sandbox waits, before it starts anything, until something is written
 * @param firstDataFd descriptor of the first of {@link dataFiles}, the others follow
 * @param hardened true for bubblewrap 0.8 or later: limits the memory-backed directories, forbids nested namespaces
 */
export function bubblewrapArguments({
  request,
  home,
  unsetVariable,
  statusFd,
  blockFd,
  firstDataFd,
  hardened,
}: {
  request: SandboxRequest;
  home: string;
  unsetVariable: string;
  statusFd: number;
  blockFd: number;
  firstDataFd: number;
  hardened: boolean;
}): readonly string[] {
  const { treeDir, mountAt, scratchDir, argv } = request;
  const readOnly = [...new Set(request.readOnlyPaths)].filter((path) => !SYSTEM_DIRS.some((d) => isWithin(path, d)));
  const outside = readOnly.filter((path) => !isWithin(path, '/usr') && !isStrictlyWithin(path, mountAt));
  const inside = readOnly.filter((path) => isStrictlyWithin(path, mountAt));
  const bindReadOnly = (paths: readonly string[]) => parentsFirst(paths).flatMap((path) => ['--ro-bind', path, path]);
  const memory = (path: string) => [...(hardened ? ['--size', String(SCRATCH_BYTES)] : []), '--tmpfs', path];
  const homeIsElsewhere = [mountAt, scratchDir, '/tmp'].every((path) => !isWithin(home, path));

  return [
    ...['--unshare-all', '--unshare-user', '--uid', String(USER.id), '--gid', String(USER.id)],
    ...['--hostname', USER.name, '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
    ...(hardened ? ['--disable-userns'] : []),
    ...['--json-status-fd', String(statusFd), '--block-fd', String(blockFd), '--unsetenv', unsetVariable],
    ...['--ro-bind', '/usr', '/usr', ...SYSTEM_DIRS.flatMap(systemDir)],
    ...[...ETC_PATHS, '/nix/store'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...dataFiles({ home }).flatMap(({ path }, index) => ['--ro-bind-data', String(firstDataFd + index), path]),
    ...['--proc', '/proc', '--dev', '/dev', ...memory('/dev/shm')],
    ...memory('/tmp'),
    ...['--symlink', '../tmp', '/var/tmp'],
    ...(homeIsElsewhere ? memory(home) : []),
    ...bindReadOnly(outside),
    ...['--bind', treeDir, mountAt],
    ...bindReadOnly(inside),
    ...['--bind', scratchDir, scratchDir],
    // Under root the user inside is root to the kernel when it opens files of /proc/sys, although without
    // capabilities: left writable, a test could set kernel.core_pattern and with it run a program on the host.
    ...['--remount-ro', '/proc', '--remount-ro', '/'],
    ...['--chdir', mountAt, '--', ...argv],
  ];
}

function systemDir(path: string): readonly string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  return stat.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

const isStrictlyWithin = (path: string, dir: string): boolean => path !== dir && isWithin(path, dir);

const parentsFirst = (paths: readonly string[]): readonly string[] =>
  paths.toSorted((left, right) => left.length - right.length);
