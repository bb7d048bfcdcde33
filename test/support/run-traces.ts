import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { processesOf } from './processes.js';

/** What a run has left on its machine. */
export interface RunTraces {
  /** Files of the run's folder by path. */
  readonly folder: Readonly<Record<string, string>>;
  /** Executions of a test file on a tree, how often each; empty where nothing was logged. */
  readonly executions: ReadonlyMap<string, number>;
  readonly left: { readonly copies: readonly string[]; readonly processes: readonly number[] };
}

/**
 * A conftest.py that leaves a line on the host for each test file that is run, with the code that it was run on. Works
 * where there is no sandbox around the tests.
 */
export const executionLog = (dir: string): string => `import hashlib, os

seen = set()

def pytest_runtest_setup(item):
    path = item.location[0]
    if path in seen or not os.path.isdir(${JSON.stringify(dir)}):
        return
    seen.add(path)
    code = hashlib.sha256(open("slugs.py", "rb").read()).hexdigest()[:8]
    tests = hashlib.sha256(open(path, "rb").read()).hexdigest()[:8]
    place = os.environ["HOME"].split("/work/runs/")[0].rsplit("/", 1)[1]
    with open(os.path.join(${JSON.stringify(dir)}, "log-" + place), "a") as out:
        out.write(f"{code} {path} {tests}\\n")
`;

/** Reads what a run left when its workers have ended; `name` is that of its state folder below `dir`. */
export async function tracesOf({ dir, name, runId }: { dir: string; name: string; runId: string }): Promise<RunTraces> {
  const home = join(dir, name);
  const folder = join(home, 'runs', runId);
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const texts = files.map(async (file): Promise<[string, string]> => {
    const path = join(file.parentPath, file.name);
    return [path.slice(folder.length + 1), await readFile(path, 'utf8')];
  });
  const log = await readFile(join(dir, `log-${name}`), 'utf8').catch(() => '');
  const executions = new Map<string, number>();
  for (const line of log.split('\n').filter((text) => text !== '')) {
    executions.set(line, (executions.get(line) ?? 0) + 1);
  }
  return {
    folder: Object.fromEntries(await Promise.all(texts)),
    executions,
    left: {
      copies: await readdir(join(home, 'work', 'runs')),
      processes: processesOf(`${home}/`),
    },
  };
}

/** Executions of test files beyond those of an undisturbed run. */
export function executedAgain({
  executions,
  undisturbed,
}: {
  executions: RunTraces['executions'];
  undisturbed: RunTraces['executions'];
}): number {
  const more = [...executions].map(([file, times]) => Math.max(0, times - (undisturbed.get(file) ?? 0)));
  return more.reduce((sum, times) => sum + times, 0);
}

/** How the report says that a turn of the model may have been paid twice. */
export const PAID_TWICE = /, \d+ perhaps paid twice/;

/** Files of a run's folder without what depends on time and on who had worked before. */
export function withoutCounts(folder: RunTraces['folder']): RunTraces['folder'] {
  const clean = (text: string): string =>
    text
      .replace(/"(durationMs|wallMs|executedFiles|reusedFiles|possibleDuplicates)": ?\d+/g, '"$1": 0')
      .replace(PAID_TWICE, '');
  return Object.fromEntries(Object.entries(folder).map(([path, text]) => [path, clean(text)]));
}
