// Real candidates with verdicts that are on record, and the comparison of an evaluation's reports with those.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gradeLog } from '../../src/swebench/grading/grade-log.ts';
import { parserNamed, parserNameOf } from '../../src/swebench/logs/parsers.ts';

const lines = (path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const list = (value) => (typeof value === 'string' ? JSON.parse(value) : value);
const same = (left, right) => JSON.stringify([...left].sort()) === JSON.stringify([...right].sort());

/**
 * What `data` has on record: a folder with `instances.jsonl`, `predictions/AGENT.jsonl` and `truth/INSTANCE.json` (agent →
 * resolved, with the tests that came true and those that broke). The developers' fix comes first, as `gold`.
 */
export function readRecorded({ data, only }) {
  const rows = new Map(
    lines(join(data, 'instances.jsonl')).map((line) => [JSON.parse(line).instance_id, JSON.parse(line)]),
  );
  const patches = new Map();
  for (const file of readdirSync(join(data, 'predictions'))) {
    for (const line of lines(join(data, 'predictions', file))) {
      const { instance_id, model_patch } = JSON.parse(line);
      patches.set(`${basename(file, '.jsonl')} ${instance_id}`, model_patch);
    }
  }
  const truths = readdirSync(join(data, 'truth'))
    .filter((name) => name.includes('__'))
    .map((name) => JSON.parse(readFileSync(join(data, 'truth', name), 'utf8')))
    .filter(({ instance_id }) => only.length === 0 || only.includes(instance_id));
  return truths.map(({ instance_id, gold, candidates }) => {
    const row = rows.get(instance_id);
    return {
      row,
      expected: { failToPass: list(row.FAIL_TO_PASS), passToPass: list(row.PASS_TO_PASS) },
      recorded: [{ agent: 'gold', resolved: true, f2p: gold.f2p, p2p_fail: gold.p2p_fail }, ...candidates].map(
        ({ agent, resolved, f2p, p2p_fail: broken }) => ({
          agent,
          resolved,
          f2p,
          broken,
          patch: (agent === 'gold' ? row.patch : patches.get(`${agent} ${instance_id}`)) ?? '',
        }),
      ),
    };
  });
}

/**
 * Reads what an evaluation left in its log folder for one patch. `readLog` gives the log as it was parsed.
 *
 * @returns `state` (`resolved`, `unresolved`, or `error` without a report), whether verdict and tests are as on record,
 *   and the verdict under the rules of v5
 */
export function compareWithRecord({ folder, row, expected, recorded, readLog = (log) => log }) {
  const path = join(folder, 'report.json');
  if (!existsSync(path)) return { state: 'error', agrees: false, testsAgree: false, v5: null };
  const { resolved, tests_status: tests } = JSON.parse(readFileSync(path, 'utf8'))[row.instance_id];
  const asV5 = gradeLog({
    log: readLog(readFileSync(join(folder, 'test_output.txt'), 'utf8')),
    parser: parserNamed(parserNameOf(row.repo)),
    rules: 'v5',
    evalType: 'pass_and_fail',
    expected,
  });
  return {
    state: resolved ? 'resolved' : 'unresolved',
    agrees: resolved === recorded.resolved,
    testsAgree: same(tests.FAIL_TO_PASS.success, recorded.f2p) && same(tests.PASS_TO_PASS.failure, recorded.broken),
    v5: asV5.kind === 'graded' && asV5.report.resolved,
  };
}

/** The table of all instances: `found` has, for each patch, what {@link compareWithRecord} said and what is on record. */
export function verdictTable(table) {
  const count = (found, test) => found.filter(test).length;
  const seconds = ({ found }) => {
    const known = found.flatMap((one) => (one.seconds === undefined ? [] : [one.seconds])).sort((a, b) => a - b);
    return known.length === 0 ? [] : [known[Math.floor(known.length / 2)].toFixed(1)];
  };
  const timed = table.some(({ found }) => found.some((one) => one.seconds !== undefined));
  const titles = ['instance', 'patches', 'resolved here', 'resolved on record', 'same verdict', 'same tests'];
  titles.push('same verdict under the rules of v5', ...(timed ? ['seconds for one (median)'] : []));
  return [
    `| ${titles.join(' | ')} |`,
    `|${'---|'.repeat(titles.length)}`,
    ...table.map((entry) => {
      const { instance, found } = entry;
      const cells = [
        instance,
        found.length,
        count(found, ({ state }) => state === 'resolved'),
        count(found, ({ recorded }) => recorded),
        `${count(found, ({ agrees }) => agrees)} of ${found.length}`,
        `${count(found, ({ testsAgree }) => testsAgree)} of ${found.length}`,
        `${count(found, ({ v5, recorded }) => v5 === recorded)} of ${found.length}`,
        ...seconds(entry),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}
