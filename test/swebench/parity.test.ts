import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Grade, gradeLog } from '../../src/swebench/grading/grade-log.js';
import { pythonJson } from '../../src/swebench/grading/instance-report.js';
import type { HarnessRules, ParsedLog } from '../../src/swebench/logs/log-parser.js';
import { type LogParserName, parserNamed } from '../../src/swebench/logs/parsers.js';
import { universalNewlines } from '../../src/swebench/logs/python-text.js';
import { generatedLogs } from './support/generated-logs.js';
import { askHarness, harnesses } from './support/harness.js';
import { NASTY_LOGS, STRAY_BYTES } from './support/nasty-logs.js';

/** One repository for each parser that differs; the v4 harness chooses parsers by repository. */
const SUBJECTS = [
  { parser: 'parse_log_pytest', repo: 'pallets/flask', version: '2.3' },
  { parser: 'parse_log_pytest_options', repo: 'psf/requests', version: '2.31' },
  { parser: 'parse_log_pytest_v2', repo: 'astropy/astropy', version: '5.0' },
  { parser: 'parse_log_matplotlib', repo: 'matplotlib/matplotlib', version: '3.5' },
  { parser: 'parse_log_seaborn', repo: 'mwaskom/seaborn', version: '0.12' },
  { parser: 'parse_log_django', repo: 'django/django', version: '3.0' },
  { parser: 'parse_log_sympy', repo: 'sympy/sympy', version: '1.12' },
] as const satisfies readonly { parser: LogParserName; repo: string; version: string }[];

const LOGS = new URL('../fixtures/swebench/logs/', import.meta.url);

interface Log {
  readonly name: string;
  readonly bytes: Buffer;
}

async function allLogs(): Promise<readonly Log[]> {
  const files = (await readdir(LOGS)).filter((name) => name.endsWith('.log'));
  const real = await Promise.all(files.map(async (name) => ({ name, bytes: await readFile(new URL(name, LOGS)) })));
  const nasty = Object.entries(NASTY_LOGS).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  const generated = generatedLogs({ count: 250, seed: 20261130 }).map((text, index) => ({
    name: `generated ${index}`,
    bytes: Buffer.from(text),
  }));
  return [...real, ...nasty, ...generated];
}

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

/** Expected tests that make verdicts of all kinds: whole and cut names, absent ones, and only those that pass. */
function expectations(parsed: ParsedLog): readonly { failToPass: string[]; passToPass: string[] }[] {
  const statuses = parsed.kind === 'parsed' ? [...parsed.statuses] : [];
  const names = statuses.map(([name]) => name);
  const cut = names.filter((name) => name.includes('[')).map((name) => name.slice(0, name.indexOf('[') + 3));
  const even = (list: readonly string[], rest: number) => list.filter((_, index) => index % 2 === rest);
  const good = statuses.filter(([, status]) => !/FAILED|ERROR/.test(status)).map(([name]) => name);
  return [
    { failToPass: [...even(names, 0), ...cut, 'absent'], passToPass: [...even(names, 1), ...cut, 'absent[x'] },
    { failToPass: even(good, 0), passToPass: [...even(good, 1), ...cut.filter((name) => name.length > 8)] },
    { failToPass: [...names.slice(0, 1), ...good.slice(0, 1)], passToPass: good.slice(1) },
  ];
}

const found = await harnesses();

describe.skipIf(found.kind === 'missing')('the official harness and this one', () => {
  const python = (rules: HarnessRules): string => (found.kind === 'ready' ? found[rules] : '');

  async function compare({ logs, rules }: { logs: readonly Log[]; rules: HarnessRules }) {
    const cases = logs.flatMap(({ name, bytes }) =>
      SUBJECTS.flatMap((subject) => {
        const parser = parserNamed(subject.parser);
        if (parser === null) throw new Error(subject.parser);
        const text = decode(bytes);
        const parsed = parser({ log: universalNewlines(text), rules });
        return expectations(parsed).map((expected) => ({ name, bytes, text, subject, parser, parsed, expected }));
      }),
    );
    const answers = await askHarness({
      python: python(rules),
      jobs: cases.map(({ bytes, subject, expected }) => ({
        job: 'grade',
        ...subject,
        ...expected,
        evalType: 'pass_and_fail',
        log: bytes.toString('hex'),
      })),
    });
    return cases.map(({ name, text, subject, parser, parsed, expected }, index) => {
      const grade = gradeLog({ log: text, parser, rules, evalType: 'pass_and_fail', expected });
      return {
        what: `${name}, ${subject.parser}, ${rules}`,
        ours: ourAnswer({ parsed, grade }),
        theirs: answers[index],
      };
    });
  }

  test.for(['v4', 'v5'] as const)(
    'read and grade 300 logs and more alike, rules of %s',
    { timeout: 300_000 },
    async (rules) => {
      const logs = await allLogs();
      expect(new Set(logs.map(({ bytes }) => bytes.toString('hex'))).size).toBeGreaterThanOrEqual(300);
      const compared = await compare({ logs, rules });
      const different = compared.filter(({ ours, theirs }) => JSON.stringify(ours) !== JSON.stringify(theirs));
      expect(different.slice(0, 3)).toEqual([]);
      // The comparison is worth something only if all kinds of verdicts are among the cases.
      const resolutions = new Set(compared.map(({ theirs }) => theirs?.resolution));
      for (const kind of ['RESOLVED_FULL', 'RESOLVED_PARTIAL', 'RESOLVED_NO', null])
        expect(resolutions).toContain(kind);
    },
  );

  test('differ over stray bytes, where v4 fails and we replace as v5 does when it runs the tests', async () => {
    const logs = Object.entries(STRAY_BYTES).map(([name, bytes]) => ({ name, bytes: Buffer.from(bytes) }));
    const raw = await compare({ logs, rules: 'v4' });
    for (const { theirs } of raw) expect(theirs?.gradeError).toBe('UnicodeDecodeError');
    const decoded = logs.map(({ name, bytes }) => ({ name, bytes: Buffer.from(decode(bytes)) }));
    for (const rules of ['v4', 'v5'] as const) {
      for (const { what, ours, theirs } of await compare({ logs: decoded, rules })) expect(ours, what).toEqual(theirs);
    }
    // What Python makes of the raw bytes with errors="replace" are the same names.
    for (const { ours, theirs } of raw) expect(ours).toMatchObject({ statuses: theirs?.statuses });
  });
});

/** Ours in the shape of the oracle's answers. */
function ourAnswer({ parsed, grade }: { parsed: ParsedLog; grade: Grade }) {
  return {
    ...(parsed.kind === 'parsed' ? { statuses: [...parsed.statuses] } : { parserError: 'IndexError' }),
    ...(grade.kind === 'unparsable'
      ? { gradeError: 'IndexError' }
      : {
          report: pythonJson({ 'x__x-1': grade.report }),
          resolution: grade.kind === 'graded' ? `RESOLVED_${grade.resolution.toUpperCase()}` : null,
        }),
  };
}
