// Evaluates real candidates of real instances by `testgrad evaluate`, in images with the layout of the official ones, and
// compares with verdicts that are on record.
//
//   npm run build
//   node --import ./test/support/ts-source.mjs bench/evaluate-docker.mjs DATA WORK [--instance ID]… [--jobs 2] [--write FILE]
//     --git django/django=DIR … --python 3.6=PREFIX --python 3.9=PREFIX
//
// DATA is as bench/support/recorded-verdicts.mjs says; a DIR is a git directory with the instances' base commits; a PREFIX
// is an installation of that Python on this machine, which must be Debian 12. Python 3.11 is Debian's own. Logs and
// reports are left in WORK; what is graded there already is not run again. Starts a Docker daemon where none answers.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ROOT } from '../scripts/bootstrap.mjs';
import { dockerHost } from '../scripts/docker-host.mjs';
import { buildStandIn } from '../scripts/stand-in-images.mjs';
import { evaluationFolder } from '../src/swebench/evaluate/log-folder.ts';
import { projectSpec } from '../src/swebench/projects.ts';
import { compareWithRecord, readRecorded, verdictTable } from './support/recorded-verdicts.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    git: { type: 'string', multiple: true, default: [] },
    python: { type: 'string', multiple: true, default: [] },
    instance: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '2' },
    write: { type: 'string' },
  },
});
const [data, work] = positionals.map((path) => resolve(path));
const pairs = (given) => Object.fromEntries(given.map((pair) => pair.split('=')));
const [gitDirs, pythons] = [pairs(values.git), pairs(values.python)];
const RUN = 'measured';

/** By project and the official image's version of Python. */
const DJANGO = ['sqlparse==0.4.4', 'pytz==2024.1', 'jinja2==3.0.3', 'markupsafe==2.0.1'];
const REQUIREMENTS = {
  'sympy/sympy 3.9': ['mpmath==1.3.0'],
  'django/django 3.6': ['asgiref==3.4.1', 'typing-extensions==4.1.1', ...DJANGO],
  'django/django 3.9': ['asgiref==3.7.2', 'typing-extensions==4.7.1', ...DJANGO],
  'pallets/flask 3.11': [
    ...['werkzeug==2.3.7', 'jinja2==3.0.1', 'itsdangerous==2.1.2', 'click==8.0.1', 'markupsafe==2.1.3'],
    ...['blinker==1.6.2', 'pytest==7.4.4'],
  ],
};

const dir = mkdtempSync(join(tmpdir(), 'tg-docker-'));
const docker = dockerHost({ dir: join(dir, 'd') });
const clear = async () => {
  await docker.close();
  rmSync(dir, { recursive: true, force: true });
};
process.once('SIGINT', () => void clear().then(() => process.exit(130)));
process.once('SIGTERM', () => void clear().then(() => process.exit(143)));
try {
  await main();
} finally {
  await clear();
}

async function main() {
  const { host, reason } = await docker.open();
  if (reason !== '') throw new Error(reason);
  process.env.DOCKER_HOST = host;
  mkdirSync(work, { recursive: true });
  const table = [];
  for (const { row, expected, recorded } of readRecorded({ data, only: values.instance })) {
    const builtAt = performance.now();
    const { image } = await buildStandIn(imageOf(row));
    console.log(`${image}: ${secondsSince(builtAt)} s`);
    const dataset = put(`${row.instance_id}.jsonl`, [{ ...row, image }]);
    const waiting = [...recorded];
    const found = [];
    const lane = async () => {
      for (let own = waiting.shift(); own !== undefined; own = waiting.shift()) {
        const { agent, patch, resolved } = own;
        const startedAt = performance.now();
        await evaluate({ dataset, agent, row, patch });
        const seconds = Number(secondsSince(startedAt));
        const names = { logsDir: join(work, 'logs'), runId: RUN, model: agent, instanceId: row.instance_id };
        const outcome = compareWithRecord({ folder: evaluationFolder(names), row, expected, recorded: own });
        found.push({ ...outcome, recorded: resolved, seconds });
        const said = `${outcome.state}, ${outcome.agrees ? 'as recorded' : 'DIFFERENT'}, tests ${outcome.testsAgree ? 'as recorded' : 'DIFFER'}`;
        console.log(`${row.instance_id} ${agent}: ${said}, ${seconds} s`);
      }
    };
    await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
    table.push({ instance: row.instance_id, found });
  }
  const report = verdictTable(table);
  console.log(`\n${report}`);
  if (values.write !== undefined) writeFileSync(values.write, `${report}\n`);
  process.exitCode = table.every(({ found }) => found.every(({ agrees }) => agrees)) ? 0 : 1;
}

function secondsSince(at) {
  return ((performance.now() - at) / 1000).toFixed(1);
}

function imageOf({ instance_id: instance, repo, version, base_commit: commit }) {
  const { python } = projectSpec({ repo, version });
  const require = REQUIREMENTS[`${repo} ${python}`];
  return {
    instance,
    repository: gitDirs[repo],
    commit,
    require,
    ...(python === '3.11' ? {} : { python: pythons[python] }),
  };
}

/** The command line, as a person calls it; `gold` is the developers' own patch from the dataset. */
async function evaluate({ dataset, agent, row, patch }) {
  const prediction = { instance_id: row.instance_id, model_name_or_path: agent, model_patch: patch };
  const predictions = agent === 'gold' ? 'gold' : put(`${agent}-${row.instance_id}.jsonl`, [prediction]);
  const argv = ['evaluate', '--dataset', dataset, '--predictions', predictions, '--instances', row.instance_id];
  argv.push('--run-id', RUN, '--report-dir', work, '--json');
  const env = { ...process.env, TESTGRAD_HOME: join(work, 'home'), TESTGRAD_CACHE: join(work, 'cache') };
  try {
    await promisify(execFile)(process.execPath, [join(ROOT, 'dist', 'cli', 'main.js'), ...argv], { env });
  } catch (error) {
    console.log(`  ${String(error.stderr).trim().slice(-500)}`);
  }
}

function put(name, rows) {
  writeFileSync(join(work, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return join(work, name);
}
