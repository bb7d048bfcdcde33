import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pythonJson } from '../grading/instance-report.js';
import type { Evaluation } from './evaluate-patch.js';

/** File that ties a report to what it was made from; other tools pass over it. */
const INPUTS_FILE = 'testgrad-inputs.json';

/** A model's name as part of a path, as the harness writes it, and never a way out of the folder. */
export const modelFolder = (model: string): string => {
  const name = model.replaceAll('/', '__').replaceAll('\0', '');
  return name === '' || name === '.' || name === '..' ? `_${name}` : name;
};

/** Folder of one evaluation under the folder of logs: `run_evaluation/RUN/MODEL/INSTANCE`. */
export const evaluationFolder = ({
  logsDir,
  runId,
  model,
  instanceId,
}: {
  logsDir: string;
  runId: string;
  model: string;
  instanceId: string;
}): string => join(logsDir, 'run_evaluation', runId, modelFolder(model), modelFolder(instanceId));

/**
 * Writes an evaluation in the official layout: `patch.diff`, `eval.sh`, `test_output.txt`, `run_instance.log` and, where
 * the log could be graded, `report.json`, which comes last and whole, because it says that the instance is done.
 */
export async function writeEvaluation({
  folder,
  instanceId,
  patch,
  inputsDigest,
  evaluation,
}: {
  folder: string;
  instanceId: string;
  patch: Uint8Array;
  /** Digest of all that the report depends on. */
  inputsDigest: string;
  evaluation: Evaluation;
}): Promise<void> {
  const { result, script, testOutput, log } = evaluation;
  await mkdir(folder, { recursive: true });
  await rm(join(folder, 'report.json'), { force: true });
  await writeFile(join(folder, 'patch.diff'), patch);
  if (script !== null) await writeFile(join(folder, 'eval.sh'), script);
  if (testOutput !== null) await writeFile(join(folder, 'test_output.txt'), testOutput);
  await writeFile(join(folder, 'run_instance.log'), `${log.join('\n')}\n`);
  if (result.kind !== 'graded') return;
  await writeFile(join(folder, INPUTS_FILE), `${JSON.stringify({ schema: 'testgrad.evaluation/1', inputsDigest })}\n`);
  const temporary = join(folder, `report.json.${process.pid}`);
  await writeFile(temporary, pythonJson({ [instanceId]: result.grade.report }));
  await rename(temporary, join(folder, 'report.json'));
}

/** What a finished evaluation says, when it was made from the same inputs; `texts` is its output and its log. */
export async function finishedEvaluation({
  folder,
  instanceId,
  inputsDigest,
}: {
  folder: string;
  instanceId: string;
  inputsDigest: string;
}): Promise<{ readonly resolved: boolean; readonly texts: string } | null> {
  try {
    const inputs = JSON.parse(await readFile(join(folder, INPUTS_FILE), 'utf8')) as { inputsDigest?: unknown };
    if (inputs.inputsDigest !== inputsDigest) return null;
    const report = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as Record<string, unknown>;
    const own = report[instanceId] as { resolved?: unknown } | undefined;
    if (typeof own?.resolved !== 'boolean') return null;
    const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
    return { resolved: own.resolved, texts: `${await read('test_output.txt')}\n${await read('run_instance.log')}` };
  } catch {
    // Not there or not whole: it is done again.
    return null;
  }
}
