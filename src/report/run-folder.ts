import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { renderMarkdown } from './markdown-report.js';
import { buildReport } from './report-model.js';
import type { FileChange, RunRecord } from './run-record.js';
import { safeJson } from './safe-text.js';

/** Unified diff of one file in git's form, applicable with `git apply`; empty when nothing changed. */
export function fileDiff({ path, before, after }: FileChange): string {
  if (before === after) {
    return '';
  }
  const from = before === null ? '/dev/null' : `a/${path}`;
  const to = after === null ? '/dev/null' : `b/${path}`;
  const mode = before === null ? 'new file mode 100644\n' : after === null ? 'deleted file mode 100644\n' : '';
  const patch = createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, { context: 3 });
  const body = patch.slice(patch.indexOf('--- '));
  return `diff --git a/${path} b/${path}\n${mode}${body}`;
}

/** True for a relative path that stays below the folder it is put in. */
const isInside = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && !/^[a-zA-Z]:/.test(path) && !path.split(/[/\\]/).includes('..');

/** Steps that ended in a failed update, in their order: the n-th momentum was mined after the n-th of them. */
function failedSteps(record: RunRecord): number[] {
  return record.decision.steps.filter((step) => step.rawMemoryTokens > 0).map((step) => step.step);
}

/**
 * The files of a run's folder by relative path:
 *
 * - `report.md`, `decision.json`, `matrix.json` (the last one), `usage.json`, `winner.diff`, `issue.md`;
 * - `candidates/ID.diff`: what was compared, without candidates' own test changes;
 * - `deciding-test.diff` and `deciding-test/<path>`: the deciding tests in their files, ready for the repository;
 * - `steps/yK/`: `suite.diff` (what the update changed), `matrix.json`, `momentum.json` (mined after it failed),
 *   `conversation.json`;
 * - `checker.json`, `judge-yK.json`: the other conversations.
 */
export function runFolderFiles(record: RunRecord): ReadonlyMap<string, string | Uint8Array> {
  const files = new Map<string, string | Uint8Array>();
  const json = (path: string, value: unknown): void => void files.set(path, `${safeJson(value)}\n`);
  const matrix = record.matrices.at(-1) ?? null;
  const suite = record.suites.at(-1)?.suite ?? null;
  const model = buildReport({ decision: record.decision, matrix, suite });

  files.set('report.md', renderMarkdown(model));
  json('decision.json', record.decision);
  json('usage.json', { ...model.usage, calls: record.decision.usage });
  if (matrix !== null) {
    json('matrix.json', matrix);
  }
  if (record.winnerPatch !== null) {
    files.set('winner.diff', record.winnerPatch);
  }
  if (record.issue !== undefined) {
    files.set('issue.md', record.issue);
  }
  for (const [id, patch] of record.sourcePatches ?? []) {
    files.set(`candidates/${id}.diff`, patch);
  }
  const deciding = record.decidingFiles.filter((file) => isInside(file.path));
  if (deciding.length > 0) {
    files.set('deciding-test.diff', deciding.map(fileDiff).join(''));
  }
  for (const file of deciding) {
    if (file.after !== null) {
      files.set(`deciding-test/${file.path}`, file.after);
    }
  }
  for (const { suite: each, changes } of record.suites) {
    files.set(`steps/y${each.step}/suite.diff`, changes.map(fileDiff).join(''));
  }
  for (const each of record.matrices) {
    json(`steps/y${each.step}/matrix.json`, each);
  }
  const failed = failedSteps(record);
  for (const [index, momentum] of record.momenta.entries()) {
    const step = failed[index];
    json(step === undefined ? `momentum-${index + 1}.json` : `steps/y${step}/momentum.json`, momentum);
  }
  for (const { role, step, conversation } of record.conversations) {
    const path = {
      optimizer: `steps/y${step}/conversation.json`,
      judge: `judge-y${step}.json`,
      checker: 'checker.json',
      selector: `selector-${step}.json`,
    };
    json(path[role], conversation);
  }
  return files;
}

async function writeAtomically({ path, content }: { path: string; content: string | Uint8Array }): Promise<void> {
  const present = await readFile(path).catch(() => null);
  if (present?.equals(Buffer.from(content))) {
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Writes a run's folder ({@link runFolderFiles}) into `dir`, which is created when it is missing.
 *
 * Each file appears whole or not at all, and writing the same run again changes nothing. Other files in `dir` stay.
 * Rejects with the file system's error when `dir` cannot be written.
 */
export async function writeRunFolder({ dir, record }: { dir: string; record: RunRecord }): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const [path, content] of runFolderFiles(record)) {
    await writeAtomically({ path: join(dir, path), content });
  }
}
