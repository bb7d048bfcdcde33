import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { detectBubblewrap } from '../../src/sandbox/detect.js';
import { rootInside } from '../../src/sandbox/sandbox.js';
import type { Playground } from '../support/sandboxes.js';
import { hasBubblewrap, makePlayground } from '../support/sandboxes.js';

const available = await hasBubblewrap();

describe.skipIf(!available)('bubblewrap', () => {
  let ground: Playground;
  beforeEach(async () => {
    ground = await makePlayground({ kind: 'bubblewrap' });
  });
  afterEach(() => ground.remove());

  const shell = async (script: string) => {
    const result = await ground.run({ argv: ['sh', '-c', script] });
    return { ...result, lines: result.stdout.trim().split('\n') };
  };

  it('is detected with its version', async () => {
    expect(await detectBubblewrap()).toEqual({
      available: true,
      version: expect.stringMatching(/^\d+\.\d+/),
      reason: '',
    });
  });

  it('reports exit codes, signals, and both outputs as they were written', async () => {
    const result = await shell('printf "out \\377\\n\\n"; printf err >&2; exit 3');
    expect(result).toMatchObject({ exit: { kind: 'exited', code: 3 }, stdout: 'out \uFFFD\n\n', stderr: 'err' });
    expect((await shell('kill -SEGV $$')).exit).toEqual({ kind: 'signalled', signal: 'SIGSEGV' });
    expect((await shell('exit 255')).exit).toEqual({ kind: 'exited', code: 255 });
  });

  it('is broken when the program cannot start, and when a read-only path is not there', async () => {
    const missing = await ground.run({ argv: ['/no/such/program'] });
    expect(missing.exit).toMatchObject({ kind: 'broken', reason: expect.stringContaining('/no/such/program') });
    const path = await ground.run({ argv: ['true'], readOnlyPaths: ['/no/such/path'] });
    expect(path.exit).toMatchObject({ kind: 'broken', reason: expect.stringContaining('/no/such/path') });
    // A program may print what it likes: that does not make it our fault.
    const liar = await shell('echo "bwrap: execvp python: No such file or directory" >&2; exit 1');
    expect(liar.exit).toEqual({ kind: 'exited', code: 1 });
  });

  it('gives the environment asked for and nothing else', async () => {
    process.env.SECRET_KEY_OF_THE_WORKER = 'sk-1';
    const { stdout } = await ground.run({ argv: ['env'], env: { PATH: '/usr/bin:/bin', GREETING: 'two\nlines' } });
    delete process.env.SECRET_KEY_OF_THE_WORKER;
    const names = stdout.match(/^[A-Z_]+(?==)/gm)?.toSorted();
    expect(names).toEqual(['GREETING', 'PATH', 'PWD']);
  });

  it('shows the tree at the repository’s own path, writable, without touching the repository', async () => {
    await writeFile(join(ground.treeDir, 'who'), 'candidate');
    await writeFile(join(ground.mountAt, 'who'), 'original');
    const result = await shell('pwd; cat who; echo written > made');
    expect(result.lines).toEqual([ground.mountAt, 'candidate']);
    expect(await readFile(join(ground.treeDir, 'made'), 'utf8')).toBe('written\n');
    expect(existsSync(join(ground.mountAt, 'made'))).toBe(false);
    const { treeDir, mountAt } = ground;
    expect(rootInside({ kind: 'bubblewrap', treeDir, mountAt })).toBe(mountAt);
    expect(rootInside({ kind: 'none', treeDir, mountAt })).toBe(treeDir);
  });

  it('shows a read-only path inside the repository on top of the tree, and one outside beside it', async () => {
    const inside = join(ground.mountAt, '.venv');
    const outside = join(ground.dir, 'shared');
    for (const path of [inside, outside]) {
      await mkdir(path);
      await writeFile(join(path, 'data'), 'of the host');
    }
    const script = `cat .venv/data ${outside}/data; touch .venv/x; touch ${outside}/x`;
    const result = await ground.run({ argv: ['sh', '-c', script], readOnlyPaths: [inside, outside, '/usr/bin'] });
    expect(result.stdout).toBe('of the hostof the host');
    expect(result.stderr.match(/Read-only file system/g)).toHaveLength(2);
  });

  it('hides the host’s home, accounts, keys and other files', async () => {
    await writeFile(join(ground.dir, 'secret'), 'state of other runs');
    await symlink(join(ground.dir, 'secret'), join(ground.treeDir, 'link'));
    const { stdout } = await shell(
      `for path in ${homedir()} ${ground.dir}/secret link /etc/shadow /etc/ssh /var/lib /sys /run /root; do test -e $path && echo $path; done; ls -A ~; id -un; hostname; grep -c . /etc/passwd`,
    );
    expect(stdout).toBe('testgrad\ntestgrad\n3\n');
  });

  it('lets nothing be written outside of the tree, the scratch directory and memory', async () => {
    const { stdout } = await shell(
      `for dir in / /usr /usr/bin /etc /home /var /proc . ${ground.scratchDir} /tmp /var/tmp ~ /dev/shm; do
         touch $dir/probe 2>/dev/null && echo $dir; done`,
    );
    expect(stdout.trim().split('\n')).toEqual([
      '.',
      ground.scratchDir,
      '/tmp',
      '/var/tmp',
      '/home/testgrad',
      '/dev/shm',
    ]);
    expect(existsSync(join(ground.scratchDir, 'probe'))).toBe(true);
    expect(existsSync('/tmp/probe')).toBe(false);
  });

  it('leaves no way to the kernel’s settings or to new namespaces, not even under root', async () => {
    const { stdout } = await shell(
      `(echo x >> /proc/sys/kernel/domainname) 2>/dev/null && echo domainname
       (: >> /proc/sys/kernel/core_pattern) 2>/dev/null && echo core_pattern
       (: >> /proc/sysrq-trigger) 2>/dev/null && echo sysrq
       unshare --user --map-root-user true 2>/dev/null && echo namespace
       grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status`,
    );
    const none = '0'.repeat(16);
    expect(stdout).toBe(`CapEff:\t${none}\nCapBnd:\t${none}\nNoNewPrivs:\t1\n`);
  });

  it('has no network but its own loopback', async () => {
    const server = createServer((_, response) => response.end('from the host')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const program = `
import socket, threading
def reach(host, port):
    try:
        socket.create_connection((host, port), timeout=2).close()
        return 'open'
    except OSError as error:
        return type(error).__name__
own = socket.create_server(('localhost', 0))
print(reach('127.0.0.1', ${port}), reach('192.0.2.1', 80), reach('example.org', 80), reach(*own.getsockname()))
`;
    const { stdout, stderr } = await ground.run({ argv: ['python3', '-c', program] });
    server.close();
    expect(stderr).toBe('');
    expect(stdout).toBe('ConnectionRefusedError OSError gaierror open\n');
  });

  it('sees only its own processes', async () => {
    const { stdout } = await shell('ls /proc | grep -c "^[0-9]"');
    expect(Number(stdout)).toBeLessThan(6);
  });

  it('refuses to be bound over the system', async () => {
    const result = await ground.run({ argv: ['true'], mountAt: '/' });
    expect(result.exit.kind).toBe('broken');
  });
});
