import { formatPatch, structuredPatch } from 'diff';
import { type ChangedSource, type NormalisedSource, normaliseSources, type RunNormaliser } from './normaliser.js';

/** Which way a key was made: over the Python syntax tree, or by white space alone where there was no Python. */
export type Normaliser = 'ast' | 'text';

const CONTEXT_LINES = 3;
const GENERIC_NAME = 'test_function';

/**
 * The key by which Agentless recognises equal patches, over the changed files in their order. Empty for no file.
 *
 * By syntax tree: formatting, comments and docstrings do not count, and where a file only gains functions neither does
 * the text around them. By text: the changed lines with their white space collapsed.
 */
export async function patchKey({
  files,
  run,
}: {
  files: readonly ChangedSource[];
  run: RunNormaliser;
}): Promise<{ key: string; normaliser: Normaliser }> {
  if (files.length === 0) return { key: '', normaliser: 'ast' };
  const normalised = await normaliseSources({ files, scripts: [], run });
  if (normalised === null) return { key: files.map(textKey).join('').trim(), normaliser: 'text' };
  return { key: normalised.files.map(fileKey).join('').trim(), normaliser: 'ast' };
}

function fileKey(file: NormalisedSource): string {
  const diff = diffOf(file);
  return file.onlyNewFunctions ? changedLines(diff).join('\n') : diff;
}

function textKey(file: ChangedSource): string {
  const lines = changedLines(diffOf(file)).map((line) => line.replace(/\s+/g, ' ').trim());
  return lines.filter((line) => line.length > 1).join('\n');
}

const changedLines = (diff: string): string[] => diff.split('\n').filter((line) => /^[+-]/.test(line));

/** A diff with the path in its header; empty where nothing differs, as git prints it. */
function diffOf(file: ChangedSource): string {
  if (file.old === file.new) return '';
  const [oldName, newName] = [`a/${file.path}`, `b/${file.path}`];
  return formatPatch(structuredPatch(oldName, newName, file.old, file.new, '', '', { context: CONTEXT_LINES }));
}

/**
 * Keys by which equal reproduction tests are recognised: without formatting, comments and docstrings, and with one name
 * for the test function, which is what the last line calls. White space is collapsed where there is no Python.
 */
export async function scriptKeys({
  scripts,
  run,
}: {
  scripts: readonly string[];
  run: RunNormaliser;
}): Promise<{ keys: string[]; normaliser: Normaliser }> {
  const normalised = await normaliseSources({ files: [], scripts, run });
  const texts = normalised?.scripts ?? scripts.map((each) => each.replace(/[ \t]+/g, ' '));
  return { keys: texts.map(withGenericName), normaliser: normalised === null ? 'text' : 'ast' };
}

function withGenericName(source: string): string {
  const last = source.trim().split('\n').at(-1) ?? '';
  const name = last.slice(0, Math.max(0, last.indexOf('('))).trim();
  return (name === '' ? source : source.replaceAll(name, () => GENERIC_NAME)).trim();
}
