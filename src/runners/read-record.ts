import type { FileOutcome, TestOutcome } from '../core/outcome.js';
import type { TestRecord } from './fold-phases.js';
import { foldPhases } from './fold-phases.js';
import { type HostPlace, withoutHostPaths } from './host-paths.js';
import type { PhaseLine, RecordLine } from './record-lines.js';
import { parseRecord } from './record-lines.js';

/** How the process ended that wrote a record, as a sandbox tells it. */
export type ProcessExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'overlimit'; readonly limit: string }
  | { readonly kind: 'broken'; readonly reason: string };

/** What a sandbox returns, as far as it is read here. */
export interface ProcessResult {
  readonly exit: ProcessExit;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

const MAX_REASON = 2_000;
/** Rows of a matrix beyond this are of no use to anyone. */
const MAX_OUTCOMES = 20_000;
/** Far more modules than a run asks about. */
const MAX_IMPORTS = 200;
/** pytest's exit status for a file that is not there or an option it does not know. */
const PYTEST_USAGE_ERROR = 4;

/**
 * Turns the record of one test file into its outcome.
 *
 * `timeout` and `crashed` keep the outcomes of the tests that had ended; the test in which the process ended is
 * `timeout` or `error`, later ones are `missing`. A record of a mere collection has every test `missing`, state `ran`.
 * `infra` only when the sandbox is broken or was cancelled: whatever a candidate does is the candidate's. At most 20,000
 * outcomes are kept, the first of the run.
 *
 * @param text the record; empty when nothing was written
 * @param problem why it is not the whole record of an honest run, which then counts as `crashed`; empty when it is
 * @param file repository-relative path of the test file
 * @param root the repository's root as the process saw it; cut from the reason
 * @param places other folders of this machine that the reason may show, with the names that it shows instead
 */
export function readRecord({
  text,
  problem: found = '',
  file,
  result,
  root,
  places = [],
}: {
  text: string;
  problem?: string;
  file: string;
  result: ProcessResult;
  root: string;
  places?: readonly HostPlace[];
}): FileOutcome {
  const { exit, durationMs } = result;
  const { lines, whole } = parseRecord(text);
  const problem = found !== '' || whole ? found : 'The record of the run has too many lines.';
  const cut = cutBy({ exit, problem });
  const outcomes = testsOf(lines).map((test) => foldPhases({ test, cut }));
  const collectErrors = lines.flatMap((line) => (line.k === 'collect' && line.outcome === 'failed' ? [line] : []));
  const partly = collectErrors.filter(({ id }) => id.includes('::'));
  const { state, reason } = stateOf({ lines, exit, file, problem, screen: screenOf(result) });
  return {
    file,
    state,
    reason: withoutHostPaths({ text: reason, root, places }).slice(0, MAX_REASON),
    outcomes: [...outcomes, ...partly.map(collectionError)].slice(0, MAX_OUTCOMES),
    imports: importsOf(lines),
    durationMs,
  };
}

function importsOf(lines: readonly RecordLine[]): Readonly<Record<string, string>> {
  const last = lines.findLast((line) => line.k === 'imports');
  return Object.fromEntries(Object.entries(last?.origins ?? {}).slice(0, MAX_IMPORTS));
}

type State = Pick<FileOutcome, 'state' | 'reason'>;

function stateOf({
  lines,
  exit,
  file,
  problem,
  screen,
}: {
  lines: readonly RecordLine[];
  exit: ProcessExit;
  file: string;
  problem: string;
  screen: string;
}): State {
  if (exit.kind === 'broken') return { state: 'infra', reason: exit.reason };
  if (exit.kind === 'cancelled') return { state: 'infra', reason: 'The run was cancelled.' };
  if (problem !== '') return { state: 'crashed', reason: problem };
  const collects = lines.flatMap((line) => (line.k === 'collect' ? [line] : []));
  const failures = collects.filter(({ id, outcome }) => outcome === 'failed' && !id.includes('::'));
  const collected = lines.findLast((line) => line.k === 'collected');
  const finish = lines.findLast((line) => line.k === 'finish');
  const broken = lines.findLast((line) => line.k === 'broken');

  if (failures.length > 0) return { state: 'not-collected', reason: failures.map(({ message }) => message).join('\n') };
  if (broken !== undefined) return { state: 'crashed', reason: broken.message };
  if (finish === undefined) {
    if (exit.kind === 'timeout') return { state: 'timeout', reason: 'It was killed at its time limit.' };
    const where = collected === undefined ? ' before any test was collected' : '';
    return { state: 'crashed', reason: `The process ended early${where}: ${describe(exit)}.\n${screen}`.trim() };
  }
  if (collected !== undefined && collected.ids.length > 0) return { state: 'ran', reason: '' };
  const refused: State = { state: 'not-collected', reason: screen || `The runner ended with status ${finish.status}.` };
  if (finish.status === PYTEST_USAGE_ERROR) return refused;
  const skip = collects.find(({ outcome }) => outcome === 'skipped');
  if (skip !== undefined) return { state: 'empty', reason: skip.message };
  if (collected !== undefined) return { state: 'empty', reason: `${file} holds no tests.` };
  return refused;
}

/** Every test that the record knows, in the order of the run. */
function testsOf(lines: readonly RecordLine[]): readonly TestRecord[] {
  const collected = lines.flatMap((line) => (line.k === 'collected' ? line.ids : []));
  const begun = new Set(lines.flatMap((line) => (line.k === 'begin' ? [line.id] : [])));
  const ended = new Set(lines.flatMap((line) => (line.k === 'end' ? [line.id] : [])));
  const phases = new Map<string, PhaseLine[]>();
  for (const line of lines) {
    if (line.k !== 'phase') continue;
    const own = phases.get(line.id);
    if (own === undefined) phases.set(line.id, [line]);
    else own.push(line);
  }
  const ids = [...new Set([...collected, ...begun, ...phases.keys()])];
  return ids
    .slice(0, MAX_OUTCOMES)
    .map((id) => ({ id, begun: begun.has(id), ended: ended.has(id), phases: phases.get(id) ?? [] }));
}

function collectionError({ id, message }: { id: string; message: string }): TestOutcome {
  return { testId: id, status: 'error', phase: 'collect', message: message.slice(0, MAX_REASON), durationMs: 0 };
}

function cutBy({ exit, problem }: { exit: ProcessExit; problem: string }): Parameters<typeof foldPhases>[0]['cut'] {
  if (problem !== '') return { status: 'error', message: problem };
  if (exit.kind === 'timeout')
    return { status: 'timeout', message: 'The file was killed at its time limit during this test.' };
  return { status: 'error', message: `The process ended during this test: ${describe(exit)}.` };
}

function describe(exit: ProcessExit): string {
  if (exit.kind === 'exited') return `exit code ${exit.code}`;
  if (exit.kind === 'signalled') return `signal ${exit.signal}`;
  if (exit.kind === 'overlimit' && exit.limit === 'memory') return 'killed because it used more memory than it may';
  if (exit.kind === 'overlimit') return `killed because it had too many ${exit.limit}`;
  return exit.kind;
}

/** The end of what was printed: an interpreter that cannot start says so nowhere else. */
function screenOf({ stdout, stderr }: ProcessResult): string {
  return (stderr.trim() || stdout.trim()).slice(-MAX_REASON / 2);
}
