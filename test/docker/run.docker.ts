import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { runWithinMemory } from '../../src/activities/memory-bound.js';
import { connectDocker } from '../../src/sandbox/docker-daemon.js';
import { LABELS } from '../../src/sandbox/docker-labels.js';
import { decodeLabel } from '../../src/sandbox/owner.js';
import {
  containersOf,
  type Ground,
  LIMITS,
  makeGround,
  ownerOf,
  processesWith,
  repositoryImage,
} from './containers.js';

const RUN = 'run: é/1';
const FILES = { 'pkg/__init__.py': 'X = 1\n', 'pkg/old/gone.py': 'X = 1\n', 'tests/test_x.py': 'assert True\n' };
const SLEEP = 'import time; time.sleep(600)';
let image = '';
let ground: Ground;

beforeAll(async () => {
  image = await repositoryImage({ name: 'run', files: FILES });
});
afterAll(async () => {
  await (await connectDocker()).getImage(image).remove({ force: true });
});
beforeEach(async () => {
  ground = await makeGround({ image, files: FILES, runId: RUN });
});
afterEach(async () => {
  expect(await containersOf(RUN)).toEqual([]);
  await ground.remove();
});

const python = (program: string, ...argv: readonly string[]) => ['/usr/bin/python3', '-c', program, ...argv];
const shell = (script: string) => ground.run({ argv: ['/bin/sh', '-c', script] });

it('reports exit codes, signals, and both outputs as they were written, whatever the chunks', async () => {
  const result = await shell('printf "out \\377\\r\\n\\n"; printf err >&2; exit 3');
  expect(result).toMatchObject({ exit: { kind: 'exited', code: 3 }, stdout: 'out \uFFFD\r\n\n', stderr: 'err' });
  expect((await shell('kill -SEGV $$')).exit).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
  expect((await shell('kill -KILL $$')).exit).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
  const bytes = "import os\nfor _ in range(20000): os.write(1, b'x'); os.write(2, b'y')";
  const single = await ground.run({ argv: python(bytes) });
  expect(single).toMatchObject({ exit: { kind: 'exited', code: 0 }, truncated: false });
  expect([single.stdout, single.stderr]).toEqual(['x'.repeat(20_000), 'y'.repeat(20_000)]);
});

it('keeps beginning and end of an output without end, in bounded memory', async () => {
  const result = await ground.run({
    argv: python("print('a', end='')\nfor _ in range(2000): print('b' * 100_000, end='')\nprint('c')"),
  });
  expect(result).toMatchObject({ exit: { kind: 'exited', code: 0 }, truncated: true });
  expect(result.stdout.length).toBeLessThan(LIMITS.maxOutputBytes + 100);
  expect(result.stdout).toMatch(/^ab[\s\S]*bc\n$/);
});

it('lays the candidate’s tree over the image’s repository, and what git does not know there stays', async () => {
  await writeFile(join(ground.treeDir, 'pkg/__init__.py'), 'X = 2\r\n');
  await writeFile(join(ground.treeDir, 'run.sh'), '#!/bin/sh\necho ran\n');
  await chmod(join(ground.treeDir, 'run.sh'), 0o755);
  await symlink('pkg/__init__.py', join(ground.treeDir, 'link'));
  await rm(join(ground.treeDir, 'pkg/old'), { recursive: true });
  const { stdout, stderr } = await shell(
    'pwd; od -c pkg/__init__.py | head -1; ./run.sh; readlink link; ls; ls pkg; git status --short',
  );
  expect(stderr).toBe('');
  const lines = stdout.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  expect(lines.slice(0, 4)).toEqual(['/testbed', '0000000 X = 2 \\r \\n', 'ran', 'pkg/__init__.py']);
  expect(lines.slice(4, 10)).toEqual(['built.so', 'link', 'pkg', 'run.sh', 'tests', '__init__.py']);
  expect(lines.slice(10)).toEqual([
    'M pkg/__init__.py',
    'D pkg/old/gone.py',
    '?? built.so',
    '?? link',
    '?? run.sh',
    '',
  ]);
});

it('gives each execution a fresh container: none sees what another left', async () => {
  const first = await shell('echo 1 > /testbed/left; echo 1 > /tmp/left; echo 1 > ~/left; echo X=9 > pkg/__init__.py');
  expect(first.exit).toEqual({ kind: 'exited', code: 0 });
  const second = await shell('ls /testbed/left /tmp/left ~/left 2>/dev/null; cat pkg/__init__.py');
  expect(second.stdout).toBe('X = 1\n');
});

it('has no network, no rights, no way to more of them, and nothing of the host', async () => {
  const { stdout } = await shell(
    `grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status; ls /sys/class/net; hostname; ls /var/run/docker.sock ${ground.treeDir} 2>/dev/null
     mount -t tmpfs none /mnt 2>/dev/null && echo mounted
     (: >> /proc/sys/kernel/core_pattern) 2>/dev/null && echo core_pattern
     unshare --user true 2>/dev/null && echo namespace
     ls /proc | grep -c '^[0-9]'; true`,
  );
  const lines = stdout.trim().split('\n');
  const none = '0'.repeat(16);
  expect(lines.slice(0, -1)).toEqual([`CapEff:\t${none}`, `CapBnd:\t${none}`, 'NoNewPrivs:\t1', 'lo', 'testgrad']);
  expect(Number(lines.at(-1))).toBeLessThan(6);
  const program = `
import socket
def reach(host):
    try:
        socket.create_connection((host, 80), timeout=2).close()
        return 'open'
    except OSError as error:
        return type(error).__name__
own = socket.create_server((socket.gethostname(), 0))
socket.create_connection(own.getsockname()).close()
print(reach('192.0.2.1'), reach('example.org'))
`;
  expect((await ground.run({ argv: python(program) })).stdout).toBe('OSError gaierror\n');
});

it('kills the whole tree at the time limit, deaf and detached children included, and is gone', async () => {
  const mark = `mark-${process.pid}-time`;
  const program = `
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, '-c', '${SLEEP}', '${mark}'], start_new_session=True, stdout=subprocess.DEVNULL)
print('started', flush=True)
open('${ground.scratchDir}/record', 'w').write('until here')
time.sleep(600)
`;
  const result = await ground.run({ argv: python(program), limits: { ...LIMITS, timeoutMs: 3_000 } });
  expect(result).toMatchObject({ exit: { kind: 'timeout' }, stdout: 'started\n' });
  expect(result.durationMs).toBeGreaterThanOrEqual(3_000);
  expect(processesWith(mark)).toBe('');
  expect(await readFile(join(ground.scratchDir, 'record'), 'utf8')).toBe('until here');
});

it('leaves no child behind when the program ends by itself', async () => {
  const mark = `mark-${process.pid}-end`;
  const program = `
import subprocess, sys
subprocess.Popen([sys.executable, '-c', '${SLEEP}', '${mark}'], start_new_session=True)
`;
  const result = await ground.run({ argv: python(program) });
  expect(result.exit).toEqual({ kind: 'exited', code: 0 });
  expect(processesWith(mark)).toBe('');
});

it('stops when it is cancelled, before and during the run', async () => {
  const controller = new AbortController();
  const mark = `mark-${process.pid}-cancel`;
  const running = ground.run({ argv: python(SLEEP, mark), signal: controller.signal });
  while (processesWith(mark) === '') await new Promise((resolve) => setTimeout(resolve, 100));
  controller.abort();
  expect((await running).exit).toEqual({ kind: 'cancelled' });
  expect(processesWith(mark)).toBe('');
  expect((await ground.run({ argv: python(''), signal: controller.signal })).exit).toEqual({ kind: 'cancelled' });
});

it('stops a program that starts too many processes, and says so', async () => {
  const program = `
import subprocess, sys, time
for _ in range(30): subprocess.Popen(['sleep', '600'])
time.sleep(600)
`;
  const result = await ground.run({ argv: python(program), limits: { ...LIMITS, maxProcesses: 20 } });
  expect(result.exit).toEqual({ kind: 'overlimit', limit: 'processes' });
});

it('takes a kill at the memory limit for ours, also when a child was killed and the program went on', async () => {
  const eat = 'x = bytearray(700 * 1024 ** 2)';
  const own = await ground.run({ argv: python(eat) });
  expect(own.exit).toMatchObject({ kind: 'broken', infra: 'memory' });
  const child = await ground.run({
    argv: python(`import subprocess, sys\nsubprocess.run([sys.executable, '-c', '${eat}'])`),
  });
  expect(child.exit).toMatchObject({ kind: 'broken', infra: 'memory' });
});

it('holds it against the program when container after container is killed at the memory limit', async () => {
  const limits = { ...LIMITS, memoryBytes: 48 * 1024 ** 2 };
  const program = { argv: python("print('eats', flush=True); x = bytearray(100 * 1024 ** 2)"), limits };
  const result = await ground.run(program, runWithinMemory);
  expect(result).toMatchObject({ exit: { kind: 'overlimit', limit: 'memory' }, stdout: 'eats\n' });
});

it('tells a missing image and a missing program from a program that fails', async () => {
  const noImage = await ground.run({ argv: python(''), docker: { image: 'testgrad-test/none:1' } });
  expect(noImage.exit).toMatchObject({ kind: 'broken', infra: 'image' });
  const noProgram = await ground.run({ argv: ['/no/such/python'] });
  expect(noProgram.exit).toMatchObject({ kind: 'broken', reason: expect.stringContaining('/no/such/python') });
  expect((await shell('echo "[FATAL tini (7)] exec python failed" >&2; exit 127')).exit).toEqual({
    kind: 'exited',
    code: 127,
  });
});

it('brings the scratch directory’s files back, and nothing that leads out of it', async () => {
  await mkdir(join(ground.treeDir, 'host'));
  const { scratchDir } = ground;
  const script = `cd ${scratchDir}; mkdir deep; printf 'a\\r\\n\\377' > deep/record; ln -s /etc/passwd link; mkfifo pipe; ln deep/record hard`;
  const result = await shell(script);
  expect(result.exit).toEqual({ kind: 'exited', code: 0 });
  expect((await readdir(scratchDir)).filter((name) => name !== 'hard')).toEqual(['deep']);
  expect(await readFile(join(scratchDir, 'deep/record'))).toEqual(Buffer.from([0x61, 0x0d, 0x0a, 0xff]));
  expect(existsSync(join(scratchDir, 'link'))).toBe(false);
});

it('a program cannot break our side by what it leaves in the scratch directory', async () => {
  const { scratchDir } = ground;
  await mkdir(join(scratchDir, 'home'));
  const file = await shell(`cd ${scratchDir}; rm -rf *; echo 1 > home; truncate -s 1G large; echo 1 > zz`);
  expect(file.exit).toEqual({ kind: 'exited', code: 0 });
  expect(await readFile(join(scratchDir, 'home'), 'utf8')).toBe('1\n');
  expect(existsSync(join(scratchDir, 'large'))).toBe(false);
  expect((await shell(`cd /; rm -rf ${scratchDir}; ln -s /etc ${scratchDir}`)).exit).toEqual({
    kind: 'exited',
    code: 0,
  });
  expect((await shell(`cd /; rm -rf ${scratchDir}`)).exit).toEqual({ kind: 'exited', code: 0 });
});

it('shows read-only paths at their place, and puts the owner on the container', async () => {
  const dir = join(ground.scratchDir, '..', 'recorder');
  await mkdir(dir);
  await writeFile(join(dir, 'plugin.py'), 'print("of the host")\n');
  const running = ground.run({
    argv: python(`import time; exec(open('${dir}/plugin.py').read()); time.sleep(3)`),
    readOnlyPaths: [dir],
  });
  const docker = await connectDocker();
  let labels: Record<string, string> | undefined;
  while (labels === undefined) {
    const [found] = await docker.listContainers({ filters: { label: [`${LABELS.run}=${RUN}`] } });
    labels = found?.Labels;
    expect(found?.Names[0] ?? '/testgrad-').toMatch(/^\/testgrad-[\w.-]*$/);
  }
  const { runId, activityId, host, pid, startTime } = ownerOf(RUN);
  expect(decodeLabel(labels[LABELS.owner] ?? '')).toMatchObject({ runId, activityId, host, pid, startTime });
  expect((await running).stdout).toBe('of the host\n');
});
