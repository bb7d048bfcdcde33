// Evaluates real candidates of real instances in the local sandbox and compares with verdicts that are on record.
//
//   node --import ./test/support/ts-source.mjs bench/evaluate-local.mjs DATA WORK [--instance ID]… [--write FILE]
//     --git django/django=DIR --git sympy/sympy=DIR --git pallets/flask=DIR
//
// DATA is as bench/support/recorded-verdicts.mjs says; a DIR is a git directory with the instances' base commits.
// Environments are made under WORK with python3.11, logs and reports are left there; what is graded there already is not
// run again.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { localPlaces } from '../src/activities/local-evaluation.ts';
import { evaluateInstances } from '../src/swebench/evaluate/evaluate-instances.ts';
import { evaluationFolder } from '../src/swebench/evaluate/log-folder.ts';
import { withExpectedNames } from '../src/swebench/logs/foreign-names.ts';
import { compareWithRecord, readRecorded, verdictTable } from './support/recorded-verdicts.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    git: { type: 'string', multiple: true, default: [] },
    instance: { type: 'string', multiple: true, default: [] },
    write: { type: 'string' },
  },
});
const [data, work] = positionals.map((path) => resolve(path));
const gitDirs = Object.fromEntries(values.git.map((pair) => pair.split('=')));
const RUN = 'measured';

const ENVIRONMENTS = {
  'sympy/sympy': { requirements: ['mpmath==1.3.0'], pythonPath: ['.'] },
  'django/django': {
    requirements: ['asgiref==3.7.2', 'sqlparse==0.4.4', 'pytz', 'jinja2<3.1', 'markupsafe==2.0.1'],
    pythonPath: ['.'],
  },
  'pallets/flask': {
    requirements: [
      ...['werkzeug==2.3.7', 'jinja2==3.0.1', 'itsdangerous==2.1.2', 'click==8.0.1', 'markupsafe==2.1.3'],
      ...['blinker', 'pytest<8'],
    ],
    pythonPath: ['src'],
  },
};

function interpreter(repo) {
  const venv = join(work, 'environments', repo.replace('/', '__'));
  const python = join(venv, 'bin', 'python');
  if (!existsSync(join(venv, 'ready'))) {
    execFileSync('python3.11', ['-m', 'venv', '--clear', venv], { stdio: 'inherit' });
    execFileSync(python, ['-m', 'pip', 'install', '-q', ...ENVIRONMENTS[repo].requirements], { stdio: 'inherit' });
    writeFileSync(join(venv, 'ready'), '');
  }
  return python;
}

mkdirSync(work, { recursive: true });
const table = [];
for (const { row, expected, recorded } of readRecorded({ data, only: values.instance })) {
  const instance = {
    instanceId: row.instance_id,
    repo: row.repo,
    baseCommit: row.base_commit,
    version: row.version,
    testPatch: row.test_patch,
    expected,
    evalScript: null,
    logParser: null,
    evalType: 'pass_and_fail',
    image: null,
  };
  const open = await localPlaces({
    kind: 'bubblewrap',
    workDir: join(work, 'trees'),
    gitDir: gitDirs[row.repo],
    python: interpreter(row.repo),
    pythonPath: ENVIRONMENTS[row.repo].pythonPath,
    runId: RUN,
  });
  const readLog = (log) => withExpectedNames({ log, expected: [...expected.failToPass, ...expected.passToPass] });
  const found = [];
  for (const own of recorded) {
    const { agent, resolved, patch } = own;
    const startedAt = performance.now();
    await evaluateInstances({
      instances: [instance],
      predictions: [{ instanceId: row.instance_id, model: agent, patch: Buffer.from(patch) }],
      open,
      runId: RUN,
      logsDir: join(work, 'logs'),
      reportDir: join(work, 'reports'),
      onProgress: ({ trouble }) => trouble && console.log(`  ${trouble.trouble}: ${trouble.detail.slice(0, 500)}`),
    });
    const folder = evaluationFolder({
      logsDir: join(work, 'logs'),
      runId: RUN,
      model: agent,
      instanceId: row.instance_id,
    });
    const outcome = compareWithRecord({ folder, row, expected, recorded: own, readLog });
    found.push({ ...outcome, recorded: resolved });
    const said = `${outcome.state}, ${outcome.agrees ? 'as recorded' : 'DIFFERENT'}, tests ${outcome.testsAgree ? 'as recorded' : 'DIFFER'}`;
    console.log(`${row.instance_id} ${agent}: ${said}, ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  table.push({ instance: row.instance_id, found });
}

const report = verdictTable(table);
console.log(`\n${report}`);
if (values.write !== undefined) writeFileSync(values.write, `${report}\n`);
process.exitCode = table.every(({ found }) => found.every(({ agrees }) => agrees)) ? 0 : 1;
