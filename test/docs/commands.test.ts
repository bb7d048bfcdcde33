import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OptionSpec } from '../../src/cli/option-spec.js';
import { OPTIONS } from '../../src/cli/options.js';
import { stopLocalStack } from '../../src/workers/local-stack.js';
import { buildCli } from '../support/built-cli.js';
import { type CommandSession, openSession } from '../support/command-session.js';
import {
  type Block,
  blocksOf,
  type Command,
  commandsOf,
  documentedPages,
  isCommands,
  mentionsOf,
  oneLine,
  pageText,
  testgradCalls,
} from '../support/documented-commands.js';
import { sandboxHere } from '../support/instances.js';
import { pythonWithPytest } from '../support/python-venv.js';
import { checkCall, checkPaths } from './check-call.js';
import { NOT_RUN } from './not-run.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** These are run in their order; the commands of other pages after them, where the tutorial ends. */
const IN_ORDER = ['docs/benchmark.md', 'docs/tutorial.md'];
const OTHERS = documentedPages().filter((page) => !IN_ORDER.includes(page));

const FLAGS: readonly string[] = Object.values<OptionSpec>(OPTIONS).flatMap(({ flag, short }) => [
  flag,
  ...(short === undefined ? [] : [short]),
]);

const isRun = ({ page, text }: Command): boolean =>
  !NOT_RUN.some((each) => each.page === page && each.commands.includes(oneLine(text)));

describe('every command', () => {
  test.each(documentedPages())('of %s is one that there is', (page) => {
    const commands = blocksOf(page).filter(isCommands).flatMap(commandsOf);
    for (const { line, text } of [...commands, ...mentionsOf(page)]) {
      const place = `${page}:${line}`;
      for (const call of testgradCalls(text)) checkCall({ call, place });
      checkPaths({ text: oneLine(text), place, root: ROOT });
    }
  });

  test.each(documentedPages().filter((page) => !page.startsWith('docs/measured/')))(
    'option that %s names is one that there is',
    (page) => {
      const text = pageText(page).replace(/```[\s\S]*?```/g, '');
      const named = [...text.matchAll(/`(-[^`]+)`/g)].flatMap(
        ([, span = '']) => span.match(/(?<![\w-])--[a-z][a-z-]+|(?<![\w-])-[a-z](?![\w-])/g) ?? [],
      );
      expect(named.filter((flag) => !FLAGS.includes(flag))).toEqual([]);
    },
  );

  test('that is not run has a reason, and the list names no other', () => {
    const stale = NOT_RUN.flatMap(({ page, why, commands }) => {
      expect(why).toMatch(/\w+ .*\.$/);
      const shown = blocksOf(page).filter(isCommands).flatMap(commandsOf);
      return commands.filter((command) => !shown.some(({ text }) => oneLine(text) === command));
    });
    expect(stale).toEqual([]);
  });
});

test('every schema that the pages name is one of the code', () => {
  const sources = filesBelow(join(ROOT, 'src')).map((file) => readFileSync(join(ROOT, 'src', file), 'utf8'));
  const named = documentedPages().flatMap((page) => pageText(page).match(/testgrad\.[a-z-]+\/\d+/g) ?? []);
  const unknown = [...new Set(named)].filter((schema) => !sources.some((source) => source.includes(`'${schema}'`)));
  expect(unknown).toEqual([]);
});

test('every link between the pages leads somewhere', () => {
  const broken = documentedPages().flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8').replace(/```[\s\S]*?```/g, '');
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && !isThere({ page, target }))
      .map((target) => `${page}: ${target}`);
  });
  expect(broken).toEqual([]);
});

function isThere({ page, target }: { page: string; target: string }): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
  if (!existsSync(file) || anchor === undefined) return existsSync(file);
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].some(([, heading = '']) => slugOf(heading) === anchor);
}

/** Anchor of a heading, as GitHub makes it. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

describe('run in their order', () => {
  let dir: string;
  let home: string;
  let session: CommandSession;
  /** Run ids as a page shows them, with those of here. */
  const ids = new Map<string, string>();

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'testgrad-docs-'));
    home = join(dir, 'home');
    await mkdir(home);
    session = await openSession({ dir, home, sandbox: await sandboxHere() });
    await buildCli();
  }, 240_000);

  afterAll(async () => {
    await stopLocalStack({ home, workerGraceMs: 5_000 });
    await rm(dir, { recursive: true, force: true });
  }, 60_000);

  /** Runs a block, and holds what it printed against the block of text that follows it. */
  async function runBlock({ block, shown }: { block: Block; shown: Block | undefined }): Promise<void> {
    const commands = commandsOf(block)
      .filter(isRun)
      .map(({ text }) => text.replace(/\b[0-9a-f]{8}\b/g, (id) => ids.get(id) ?? id));
    if (commands.length === 0) return;
    const [first = ''] = commands;
    const ended = /^testgrad view\b/.test(first)
      ? await session.runUntil(first, async (output) => {
          const [address] = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(output) ?? [];
          return address !== undefined && (await fetch(address)).ok;
        })
      : await session.run(commands);
    expect(ended, `${block.page}:${block.line}\n${ended.output}`).toMatchObject({ exitCode: 0 });
    if (process.env.DOCS_PRINT) process.stdout.write(`\n### ${block.page}:${block.line}\n${ended.output}`);
    if (shown === undefined) return;
    learnIds({ shown: shown.text, output: ended.output });
    const printed = ended.output.split('\n').map(withoutNumbers);
    const invented = shown.text.split('\n').filter((line) => !printed.some(isLike(withoutNumbers(line))));
    expect(invented, `${shown.page}:${shown.line} shows what was not printed:\n${ended.output}`).toEqual([]);
  }

  function learnIds({ shown, output }: { shown: string; output: string }): void {
    const idsOf = (text: string) => new Set([...text.matchAll(/^([0-9a-f]{8}) {2}/gm)].map(([, id = '']) => id));
    const actual = [...idsOf(output)];
    for (const [index, id] of [...idsOf(shown)].entries()) ids.set(id, actual[index] ?? id);
  }

  const runPage = async (page: string): Promise<void> => {
    const blocks = blocksOf(page);
    for (const [index, block] of blocks.entries()) {
      const next = blocks[index + 1];
      if (isCommands(block)) await runBlock({ block, shown: next?.language === 'text' ? next : undefined });
    }
  };

  test('a benchmark from its dry run to the comparison of two', async () => {
    // What pip would have brought.
    await mkdir(join(dir, 'small'));
    const python = await pythonWithPytest();
    await symlink(dirname(dirname(python)), join(dir, 'small', 'venv'));
    await runPage('docs/benchmark.md');
    expect(undocumented(filesBelow(join(dir, 'small', 'out')))).toEqual([]);
  }, 300_000);

  test('the tutorial from a repository to the patch in it', async () => {
    session = await openSession({ dir: await mkdtemp(join(dir, 'tutorial-')), home, sandbox: await sandboxHere() });
    await runPage('docs/tutorial.md');
    const folders = readdirSync(join(home, 'runs')).map((run) => join(home, 'runs', run));
    const folder = folders.find((each) => existsSync(join(each, 'decision.json'))) ?? '';
    expect(undocumented(filesBelow(folder))).toEqual([]);
    const decision = readFileSync(join(folder, 'decision.json'), 'utf8');
    expect(undocumented(Object.keys(JSON.parse(decision)).filter((key) => key !== 'schema'))).toEqual([]);
  }, 300_000);

  test.each(OTHERS)(
    'what %s shows, where the tutorial ended',
    async (page) => {
      await runPage(page);
    },
    120_000,
  );
});

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

/** What docs/formats.md does not have; names that differ from run to run stand there as patterns. */
function undocumented(names: readonly string[]): string[] {
  const patterns = names.map((name) =>
    name
      .replace(/^(steps\/|judge-)y\d+/, '$1yK')
      .replace(/^candidates\/c\d+/, 'candidates/ID')
      .replace(/^deciding-test\/.*/, 'deciding-test/PATH')
      .replace(/^preds\/.+\.n\d+\./, 'preds/METHOD.nN.')
      .replace(/^tables\/.*\.csv$/, 'tables/*.csv'),
  );
  const page = pageText('docs/formats.md');
  return [...new Set(patterns)].filter((pattern) => !page.includes(`\`${pattern}\``));
}

/** True for a printed line that is the shown one, or begins with it where that ends with `…`. */
const isLike =
  (shown: string) =>
  (printed: string): boolean =>
    shown.endsWith('…') ? printed.startsWith(shown.slice(0, -1).trim()) : printed === shown;

/** A line with digits, ids, times and white space made equal. */
function withoutNumbers(line: string): string {
  return line
    .replace(/\b[0-9a-f]{8,}\b/g, '#')
    .replace(/\d+/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}
