import type { ArtifactStore } from '../artifacts/store.js';
import { ResultError } from '../errors.js';
import type { InstancePage, PageCandidate, PageStep } from '../report/page-data.js';
import { type InstanceMaterial, instancePage } from '../report/page-data-instance.js';
import { shortRunId } from '../report/short-run-id.js';
import { type DetailRow, renderCandidate, renderStep, renderTest } from '../report/terminal-detail.js';
import { closeNames, perhaps } from './close-names.js';
import type { FinishedRun } from './finished-run.js';
import type { Invocation } from './invocation.js';
import { finishedMaterial } from './report-material.js';
import type { RunRecord } from './run-index.js';

/** What a path below a run names. */
type Part =
  | { readonly kind: 'step'; readonly step: PageStep }
  | { readonly kind: 'candidate'; readonly candidate: PageCandidate }
  | { readonly kind: 'test'; readonly row: DetailRow };

/** A run as messages and documents name it. */
export interface ShownRun {
  /** `Run 7f3k`, or the run of a benchmark's instance. */
  readonly label: string;
  /** Command that tells of all its tests. */
  readonly tests: string;
  /** Names besides its own parts that someone may have meant. */
  readonly others: readonly string[];
  /** The first fields of its documents. */
  readonly identity: Readonly<Record<string, string | number | null>> & { readonly run: string };
}

/** A run that a command started by itself. */
export const shownRun = ({ runId }: Pick<RunRecord, 'runId'>): ShownRun => ({
  label: `Run ${shortRunId(runId)}`,
  tests: `testgrad report ${shortRunId(runId)} --format csv`,
  others: [],
  identity: { run: runId },
});

/** Prints one step, test or candidate of a finished run. Throws TG-R05 when the name fits none, or several. */
export async function showPart({
  invocation,
  home,
  store,
  of,
  finished,
  part: name,
}: {
  invocation: Invocation;
  home: string;
  store: ArtifactStore;
  of: ShownRun;
  finished: FinishedRun;
  part: string;
}): Promise<number> {
  const { terminal, values } = invocation;
  const material = await finishedMaterial({ home, store, runId: finished.decision.runId, finished });
  const page = instancePage(material);
  const part = partNamed({ page, name, of });
  if (values.on('json')) {
    terminal.json({
      schema: 'testgrad.show-part/1',
      ...of.identity,
      ...jsonOf({ part, page, content: values.on('content') }),
    });
    return 0;
  }
  const form = { columns: terminal.columns, colour: terminal.colour };
  switch (part.kind) {
    case 'step':
      terminal.out(renderStep({ step: part.step, form }));
      break;
    case 'test': {
      const { row } = part;
      const columns = page.matrix?.columns ?? [];
      terminal.out(renderTest({ row, matrixColumns: columns, source: sourceOf({ material, row }), form }));
      break;
    }
    case 'candidate': {
      const { candidate } = part;
      const patch = material.patches.get(candidate.id) ?? null;
      terminal.out(renderCandidate({ candidate, page, patch, form }));
      break;
    }
  }
  return 0;
}

/** Steps by number, candidates by agent or id, tests by their id or its end; what fits exactly comes first. */
function partNamed({ page, name, of }: { page: InstancePage; name: string; of: ShownRun }): Part {
  const step = /^y(\d+)$/.exec(name)?.[1];
  const found = page.steps.find((each) => each.step === Number(step));
  if (step !== undefined && found !== undefined) return { kind: 'step', step: found };
  const candidate = page.candidates.find(({ id, agent }) => [id, agent].includes(name));
  if (candidate !== undefined) return { kind: 'candidate', candidate };
  const rows = rowsOf(page);
  const idsOf = ({ testId, ids }: DetailRow): readonly string[] => (ids.length === 0 ? [testId] : ids);
  const exact = rows.filter((row) => idsOf(row).includes(name));
  const loose = rows.filter((row) => idsOf(row).some((id) => endsWith({ id, name })));
  const matches = exact.length > 0 ? exact : loose;
  const [row] = matches;
  if (row !== undefined && matches.length === 1) return { kind: 'test', row };
  if (matches.length > 1) throw severalParts({ of, part: name, found: matches.map(({ testId }) => testId) });
  const known = [...page.candidates.map(({ agent }) => agent), ...page.steps.map((each) => `y${each.step}`)];
  throw noSuchPart({ of, part: name, known, tests: rows.map(({ testId }) => testId) });
}

/** `test_a` and `Class::test_a` are ends of `file.py::Class::test_a[1]`. */
function endsWith({ id, name }: { id: string; name: string }): boolean {
  const bare = id.replace(/\[.*\]$/s, '');
  return [id, bare].some((each) => each === name || each.endsWith(`::${name}`) || each.endsWith(`/${name}`));
}

/** All tests, those that tell nothing apart made into rows too. */
function rowsOf({ matrix }: InstancePage): DetailRow[] {
  if (matrix === null) return [];
  const uniform = matrix.uniform.flatMap(({ file, marks, tests }) =>
    tests.map(
      (test): DetailRow => ({
        testId: `${file}::${test}`,
        spread: '',
        ids: [],
        role: 'uniform',
        origin: 'original',
        step: 0,
        class: null,
        quote: '',
        reason: '',
        cells: marks.map((mark) => ({ mark, reruns: 0, message: '' })),
      }),
    ),
  );
  return [...matrix.rows, ...uniform];
}

/** The test as an update wrote it; null for an original one. */
function sourceOf({ material, row }: { material: InstanceMaterial; row: DetailRow }): string | null {
  const written = material.suite?.changed.findLast(
    ({ file, name }) => `${file}::${name}` === row.testId.replace(/\[.*\]$/s, ''),
  );
  return written?.source ?? null;
}

/** A part for programs: what models and tests wrote only with `content`. */
function jsonOf({ part, page, content }: { part: Part; page: InstancePage; content: boolean }): object {
  const text = <T>(value: T): T | null => (content ? value : null);
  if (part.kind === 'step') {
    const { diagnosis, failedDirection, refusals, diff, momentumBefore: _, momentumAfter, ...facts } = part.step;
    const momentum = momentumAfter === null ? null : { ...momentumAfter, text: text(momentumAfter.text) };
    const told = { diagnosis: text(diagnosis), failedDirection: text(failedDirection), refusals: text(refusals) };
    return { part: 'step', step: { ...facts, ...told, diff: text(diff), momentum } };
  }
  if (part.kind === 'candidate')
    return { part: 'candidate', candidate: { ...part.candidate, note: text(part.candidate.note) } };
  const { cells, quote, reason, ...row } = part.row;
  const outcomes = (page.matrix?.columns ?? []).map(({ id, title }, at) => ({
    candidate: id,
    agent: title,
    outcome: cells[at]?.mark ?? 'missing',
    message: text(cells[at]?.message ?? ''),
  }));
  return { part: 'test', test: { ...row, quote: text(quote), reason: text(reason), outcomes } };
}

/** TG-R05 for a name that fits several tests. */
function severalParts({ of, part, found }: { of: ShownRun; part: string; found: readonly string[] }): ResultError {
  return new ResultError({
    code: 'TG-R05',
    what: `${found.length} tests of ${of.label} end with ${JSON.stringify(part)}: ${found.slice(0, 12).join(', ')}.`,
    meaning: 'There is nothing to show.',
    fix: 'Give more of its id.',
  });
}

/** TG-R05 for a name that fits nothing, with those that come close. */
function noSuchPart({
  of,
  part,
  known,
  tests,
}: {
  of: ShownRun;
  part: string;
  known: readonly string[];
  tests: readonly string[];
}): ResultError {
  const names = tests.map((id) => id.split('::').at(-1) ?? id);
  const close = closeNames({ name: part, known: [...known, ...of.others, ...names] });
  return new ResultError({
    code: 'TG-R05',
    what: `${of.label} has no step, test or candidate ${JSON.stringify(part)}.${perhaps(close)}`,
    meaning: 'There is nothing to show.',
    fix: `It has ${known.slice(0, 12).join(', ')}, and its tests: ${of.tests}.`,
  });
}
