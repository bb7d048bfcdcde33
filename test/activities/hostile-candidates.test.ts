import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunContext } from '../../src/activities/contract.js';
import { executeSuite } from '../../src/activities/execute-suite.js';
import { getJson } from '../../src/artifacts/values.js';
import type { CandidateOutcomes, FileOutcome } from '../../src/core/outcome.js';
import { type ActivityBench, asActivity, openActivityBench, prepared } from '../support/activity-bench.js';
import { patchWithLines } from '../support/slug-patches.js';

/** A candidate that does something to the record of its run once all tests have ended. */
const atExit = (action: string): string => `import gc, os
def _record():
    links = ["/proc/self/fd/" + name for name in os.listdir("/proc/self/fd")]
    return next(os.readlink(link) for link in links if os.path.exists(link) and "record.jsonl" in os.readlink(link))
class _AtEnd:
    def __init__(self, path):
        self.path = path
    def pytest_unconfigure(self):
        path = self.path
        ${action}
def _register():
    from _pytest.config import Config
    for each in gc.get_objects():
        if type(each) is Config:
            each.pluginmanager.register(_AtEnd(_record()))
_register()
`;

const LINE = '{\\"k\\": \\"begin\\", \\"id\\": \\"tests/test_slugs.py::%d\\"}\\n';
const candidates: Readonly<Record<string, string>> = {
  pipe: 'os.unlink(path); os.mkfifo(path)',
  device: 'os.unlink(path); os.symlink("/dev/zero", path)',
  folder: 'os.unlink(path); os.mkdir(path)',
  'host file': 'os.unlink(path); os.symlink(os.environ["HOST_FILE"], path)',
  'huge file': 'os.truncate(path, 400 << 20)',
  flood: `open(path, "a").write("".join("${LINE}" % n for n in range(300000)))`,
};

let bench: ActivityBench;
let context: RunContext;
let ready: Awaited<ReturnType<typeof prepared>>;

beforeAll(async () => {
  bench = await openActivityBench();
  const patches: Record<string, string> = {};
  for (const [agent, action] of Object.entries(candidates)) {
    const lines = atExit(action.replace('os.environ["HOST_FILE"]', JSON.stringify(join(bench.dir, 'issue.md'))));
    patches[agent] = await patchWithLines({ dir: bench.dir, agent, lines });
  }
  const agents = Object.keys(candidates);
  context = await bench.context({ agents, patches, flags: { testFile: ['tests/test_slugs.py'] } });
  ready = await prepared({ bench, context });
});
afterAll(() => bench.remove());

/** Runs the project's tests on a candidate. */
async function outcomeOf(agent: string): Promise<FileOutcome> {
  const column = ready.columns.find(({ name }) => name === agent);
  if (column === undefined) throw new Error(`no ${agent}`);
  const input = { ...context, prepared: ready.prepared, column, suite: ready.suite, files: null, rerun: 0 };
  const { outcomes } = await asActivity(() => executeSuite({ services: bench.services, input }));
  const value = await getJson<CandidateOutcomes>({ store: bench.services.store, ref: outcomes });
  const [file] = value.files;
  if (file === undefined) throw new Error('no outcome');
  return file;
}

test.for(['pipe', 'device', 'folder', 'host file'])(
  'a candidate that puts a %s where the record is only harms itself',
  { timeout: 10_000 },
  async (agent) => {
    const outcome = await outcomeOf(agent);
    expect(outcome).toMatchObject({ state: 'crashed', outcomes: [], reason: expect.stringContaining('replaced') });
  },
);

test('of a huge record only the beginning is read', async () => {
  const outcome = await outcomeOf('huge file');
  expect(outcome).toMatchObject({ state: 'crashed', reason: expect.stringContaining('larger than 33554432 bytes') });
  expect(outcome.outcomes).toHaveLength(5);
});

test('a record without end is cut', async () => {
  const outcome = await outcomeOf('flood');
  expect(outcome).toMatchObject({ state: 'crashed', reason: expect.stringContaining('too many lines') });
  expect(outcome.outcomes).toHaveLength(20_000);
  expect(outcome.outcomes[0]).toMatchObject({ testId: expect.stringContaining('test_words'), status: 'passed' });
});
