import type { Matrix, MatrixRow } from '../../core/matrix.js';
import { collide, rowOf, targetOf } from '../../core/operation.js';
import { isFailing } from '../../core/outcome.js';
import type { Operation, SuiteEdit } from '../../core/suite.js';
import { isTestPath } from '../../core/test-paths.js';
import { rowsOf } from './erased-evidence.js';
import { MAX_OPERATIONS } from './optimizer-tools.js';
import { quotesFrom } from './quotes.js';

/** Longer definitions are no tests. */
const MAX_SOURCE_CHARS = 20_000;

/** What a submission is checked against. */
export interface SubmissionContext {
  readonly issue: string;
  /** The latest matrix; its base column is the evidence for a delete. */
  readonly matrix: Matrix;
}

/** A submission that may be applied, with its paths normalised, or the reasons for the model why not. */
export type CheckedSubmission =
  | { readonly kind: 'accepted'; readonly edit: SuiteEdit }
  | { readonly kind: 'refused'; readonly refusals: readonly string[] };

/**
 * Checks an update before it costs an iteration, by what can be told without parsing its code: paths stay inside the
 * tests, nothing is addressed twice, each definition is the one that is named, updates and deletes have their reason,
 * and a delete of an original test has evidence.
 */
export function checkSubmission({ edit, context }: { edit: SuiteEdit; context: SubmissionContext }): CheckedSubmission {
  const operations = edit.operations.map((operation) => ({ ...operation, file: normalisePath(operation.file) }));
  const refusals = [
    ...(operations.length === 0 ? ['The update has no operation; it needs at least one.'] : []),
    ...(operations.length > MAX_OPERATIONS
      ? [`The update has ${operations.length} operations; ${MAX_OPERATIONS} are allowed.`]
      : []),
    ...(edit.diagnosis.trim() === '' ? ['`diagnosis` is empty: say why the suite is still non-differential.'] : []),
    ...operations.flatMap((operation, index) => {
      const where = `Operation ${index + 1} (${operation.op} ${addressOf(operation)})`;
      return problemsOf({ operation, context }).map((problem) => `${where}: ${problem}`);
    }),
    ...doubleTargets(operations),
  ];
  if (refusals.length > 0) return { kind: 'refused', refusals };
  return { kind: 'accepted', edit: { ...edit, operations } };
}

/** Forward slashes, no `./` and no `..` where they can be resolved; what leaves the root keeps its `..`. */
function normalisePath(path: string): string {
  const absolute = /^([/\\]|[A-Za-z]:)/.test(path.trim());
  if (absolute) return path.trim();
  const parts: string[] = [];
  for (const part of path.trim().replaceAll('\\', '/').split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}

function problemsOf({ operation, context }: { operation: Operation; context: SubmissionContext }): string[] {
  const problems = pathProblems(operation.file);
  if (operation.op === 'create') problems.push(...nameProblems(operation.name), ...sourceProblems(operation));
  if (operation.op === 'update') {
    problems.push(...sourceProblems(operation));
    if (operation.staleBecause.trim() === '')
      problems.push('`staleBecause` is empty: say why the old expectation is stale.');
  }
  if (operation.op === 'delete') problems.push(...deleteProblems({ operation, context }));
  return problems;
}

function pathProblems(file: string): string[] {
  const outside = /^([/\\]|[A-Za-z]:)/.test(file) || file.split('/').some((part) => part === '..' || part === '.git');
  if (outside || file === '' || /\p{Cc}/u.test(file)) return ['the path leaves the repository.'];
  if (!file.endsWith('.py')) return ['only Python test files (.py) can be edited.'];
  if (!isTestPath(file)) {
    return ['the file does not belong to the tests of the repository; product code is not edited.'];
  }
  return [];
}

function nameProblems(name: string): string[] {
  return /^[A-Za-z_]\w*$/.test(name) ? [] : ['`name` must be a plain Python name; put the class into `className`.'];
}

function sourceProblems(operation: Exclude<Operation, { op: 'delete' }>): string[] {
  const { source, imports = [] } = operation;
  const problems: string[] = [];
  if (source.length > MAX_SOURCE_CHARS) problems.push(`\`source\` is longer than ${MAX_SOURCE_CHARS} characters.`);
  for (const statement of imports) {
    if (!/^\s*(import|from)\s/.test(statement))
      problems.push(`"${statement.slice(0, 80)}" is not an import statement.`);
  }
  // Whether the source of a row is one value of the right shape shows when the file is parsed.
  if (rowOf(operation) !== null) return problems;
  const lines = source.split('\n').filter((line) => line.trim() !== '');
  if (/^\s/.test(lines[0] ?? ''))
    problems.push('`source` must start at column 0, without the indentation of its class.');
  const name = targetOf(operation).split('::').at(-1) ?? '';
  if (!definesName({ source, name })) problems.push(`\`source\` does not define \`${name}\`.`);
  return problems;
}

/** A function, a class, or a constant that helpers need; a name outside of Python's plain ones defines nothing. */
function definesName({ source, name }: { source: string; name: string }): boolean {
  if (!/^\w+$/.test(name)) return false;
  return new RegExp(`^\\s*(?:(?:async\\s+)?def\\s+${name}\\s*[(\\[]|class\\s+${name}\\b|${name}\\s*[:=])`, 'm').test(
    source,
  );
}

/**
 * A delete needs that the update's own tests are meant, or that every run of the test fails on the base or was judged
 * stale, or a quoted sentence of the issue. What changes from run to run shows nothing.
 */
function deleteProblems({
  operation,
  context,
}: {
  operation: Extract<Operation, { op: 'delete' }>;
  context: SubmissionContext;
}): string[] {
  const { file } = operation;
  const row = rowOf(operation);
  const all = rowsOf({ matrix: context.matrix, file, test: targetOf(operation) });
  const rows = row === null ? all : all.filter(({ testId }) => hasParameter({ testId, row }));
  const isOwn = rows.length > 0 && rows.every(({ origin }) => origin === 'created');
  const overturned = rows.filter(isOverturned);
  if (isOwn || quotesFrom({ explanation: operation.obsoleteBecause, text: context.issue })) return [];
  if (overturned.length > 0 && overturned.length === rows.length) return [];
  if (overturned.length > 0) {
    const names = overturned.slice(0, 3).map(({ testId }) => testId);
    return [
      `only a part of it is obsolete: of its ${rows.length} runs ${overturned.length} fail on the base or are stale (${names.join(', ')}). Delete those by their ids, or update the test.`,
    ];
  }
  return [
    'a test is deleted only with evidence. It does not fail on the base, and `obsoleteBecause` quotes no sentence of the issue word for word. Update it instead, or quote the sentence that makes it obsolete.',
  ];
}

const isOverturned = (row: MatrixRow): boolean =>
  row.kind !== 'flaky' && (isFailing(row.base.status) || row.judgement?.class === 'stale');

/** True when a row of a parametrisation is the test id's only parameter or one of several. */
const hasParameter = ({ testId, row }: { testId: string; row: string }): boolean =>
  `-${/\[(.*)\]$/s.exec(testId)?.[1] ?? ''}-`.includes(`-${row}-`);

function doubleTargets(operations: readonly Operation[]): string[] {
  const double = operations.filter((other, index) => operations.slice(0, index).some((one) => collide({ one, other })));
  return [...new Set(double.map(addressOf))].map(
    (address) => `Two operations of the update address ${address}; one is allowed.`,
  );
}

/** What an operation addresses, as a test id. */
function addressOf(operation: Operation): string {
  const row = rowOf(operation);
  return `${operation.file}::${targetOf(operation)}${row === null ? '' : `[${row}]`}`;
}
