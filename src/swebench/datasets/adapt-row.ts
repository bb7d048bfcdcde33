import type { GradingRow } from './grading-row.js';
import type { RowShape, SelectionRow } from './selection-row.js';
import { publicTestCommands } from './test-commands.js';
import { readTestNames } from './test-names.js';

/** A row taken apart, or why it cannot be used. */
export type AdaptedRow =
  | { readonly kind: 'row'; readonly selection: SelectionRow; readonly grading: GradingRow }
  | { readonly kind: 'problem'; readonly instanceId: string | null; readonly problem: string };

/** Ids become names of files, folders and workflows. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9_.+-]{0,199}$/;

/** Fields whose content stands in the selection; all others go to the grading side. */
const PUBLIC_FIELDS = new Set([
  'instance_id',
  'repo',
  'base_commit',
  'problem_statement',
  'requirements',
  'interface',
  'version',
  'environment_setup_commit',
  'created_at',
  'repo_language',
  'language',
  'image',
  'docker_image',
  'dockerhub_tag',
  'log_parser',
  'eval_type',
]);

const GRADING_FIELDS = new Set(['patch', 'test_patch', 'FAIL_TO_PASS', 'PASS_TO_PASS', 'fail_to_pass', 'pass_to_pass']);

/**
 * Separates a row of a dataset (SWE-bench v4 and v5, Verified, Lite, Multilingual, Pro, Live) into what a selection may
 * see and what grades. The only place where both are in one hand.
 */
export function adaptRow(value: unknown): AdaptedRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return problem(null, 'not an object');
  const raw = value as Readonly<Record<string, unknown>>;
  const instanceId = textOf(raw, 'instance_id');
  if (instanceId === null) return problem(null, 'no instance_id');
  if (!SAFE_ID.test(instanceId) || instanceId.includes('..')) {
    return problem(instanceId.slice(0, 80), 'instance_id holds characters that cannot be part of a file name');
  }
  const repo = textOf(raw, 'repo');
  const baseCommit = textOf(raw, 'base_commit');
  const statement = textOf(raw, 'problem_statement');
  if (repo === null || !/^[\w.-]+\/[\w.-]+$/.test(repo)) return problem(instanceId, 'repo is not owner/name');
  if (baseCommit === null || !/^[0-9a-f]{7,64}$/i.test(baseCommit))
    return problem(instanceId, 'base_commit is no hash');
  if (statement === null) return problem(instanceId, 'no problem_statement');
  const failToPass = readTestNames(raw.FAIL_TO_PASS ?? raw.fail_to_pass);
  const passToPass = readTestNames(raw.PASS_TO_PASS ?? raw.pass_to_pass);
  if (failToPass === null || passToPass === null) {
    return problem(instanceId, 'FAIL_TO_PASS or PASS_TO_PASS is not a list of names');
  }
  const grading = gradingRow({ raw, instanceId, failToPass, passToPass });
  const selection = selectionRow({ raw, instanceId, repo, baseCommit, statement, grading });
  return { kind: 'row', selection, grading };
}

function selectionRow({
  raw,
  instanceId,
  repo,
  baseCommit,
  statement,
  grading,
}: {
  raw: Readonly<Record<string, unknown>>;
  instanceId: string;
  repo: string;
  baseCommit: string;
  statement: string;
  grading: GradingRow;
}): SelectionRow {
  const evalType = textOf(raw, 'eval_type');
  return {
    schema: 'testgrad.selection-row/1',
    instanceId,
    shape: shapeOf(raw),
    repo,
    baseCommit,
    issue: issueText({ raw, statement }),
    version: textOf(raw, 'version'),
    environmentSetupCommit: textOf(raw, 'environment_setup_commit'),
    createdAt: textOf(raw, 'created_at'),
    language: textOf(raw, 'repo_language') ?? textOf(raw, 'language'),
    image: textOf(raw, 'image') ?? textOf(raw, 'docker_image'),
    imageTag: textOf(raw, 'dockerhub_tag'),
    logParser: textOf(raw, 'log_parser'),
    evalType: evalType === 'pass_and_fail' || evalType === 'fail_only' ? evalType : null,
    testCommands: publicTestCommands({
      testCommands: commandList(raw.test_cmds),
      evalScript: grading.evalScript,
      testPatch: grading.testPatch,
    }),
  };
}

function gradingRow({
  raw,
  instanceId,
  failToPass,
  passToPass,
}: {
  raw: Readonly<Record<string, unknown>>;
  instanceId: string;
  failToPass: readonly string[];
  passToPass: readonly string[];
}): GradingRow {
  const testPatch = textOf(raw, 'test_patch') ?? '';
  return {
    schema: 'testgrad.grading-row/1',
    instanceId,
    gradable: testPatch !== '' && failToPass.length > 0,
    patch: textOf(raw, 'patch') ?? '',
    testPatch,
    failToPass,
    passToPass,
    evalScript: textOf(raw, 'eval_script'),
    hints: textOf(raw, 'all_hints_text') ?? textOf(raw, 'hints_text') ?? '',
    others: Object.fromEntries(
      Object.entries(raw)
        .filter(([name]) => !PUBLIC_FIELDS.has(name) && !GRADING_FIELDS.has(name) && name !== 'eval_script')
        .map(([name, content]) => [name, plain(content)]),
    ),
  };
}

function shapeOf(raw: Readonly<Record<string, unknown>>): RowShape {
  if (raw.dockerhub_tag !== undefined || raw.selected_test_files_to_run !== undefined) return 'pro';
  if (raw.eval_script !== undefined) return 'v5';
  return raw.test_cmds === undefined ? 'v4' : 'live';
}

/** Agents on Pro are given the three parts together. */
function issueText({ raw, statement }: { raw: Readonly<Record<string, unknown>>; statement: string }): string {
  const requirements = textOf(raw, 'requirements');
  const api = textOf(raw, 'interface');
  return [
    statement,
    ...(requirements === null ? [] : [`Requirements:\n${requirements}`]),
    ...(api === null ? [] : [`New interfaces introduced:\n${api}`]),
  ].join('\n\n');
}

/** A field as text; numbers and dates, as parquet gives them, are written out. Null where absent or blank. */
function textOf(raw: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = raw[name];
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  return null;
}

function commandList(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  return Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];
}

/** A value of parquet as JSON can hold it. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, plain(content)]));
}

function problem(instanceId: string | null, text: string): AdaptedRow {
  return { kind: 'problem', instanceId, problem: text };
}
