import { getText } from '../artifacts/values.js';
import type { UsableCandidate } from '../core/candidate.js';
import type { InstanceSpec } from '../core/instance.js';
import type { TouchedCode } from '../core/momentum/rank-steer.js';
import { isTestModule } from '../core/test-paths.js';
import type { Scratch } from '../repository/scratch.js';
import { listTree, readTreeFile } from '../repository/tree-files.js';
import { rankTestFiles } from '../source/relevance.js';
import { type TouchedFile, touchedSymbols } from '../source/touched.js';
import type { BaseFiles } from './base-files.js';
import type { Services } from './services.js';

// Larger files are generated; reading thousands of tests takes seconds, hundreds of thousands would not end.
const MAX_TEST_FILE_BYTES = 1024 * 1024;
const TEST_FILES_READ_AT_MOST = 4000;

/**
 * y_0's test files: those that import or name what the candidates touch, or what the issue names, most relevant first,
 * at most `limit`; the user's own list where there is one. Where nothing is named by any test, the first files in the
 * order of the tree. With what the candidates touch.
 */
export async function relevantTests({
  services,
  instance,
  scratch,
  base,
  candidates,
  limit,
}: {
  services: Services;
  instance: InstanceSpec;
  scratch: Scratch;
  base: BaseFiles;
  candidates: readonly UsableCandidate[];
  limit: number;
}): Promise<{ testFiles: { path: string; reason: string }[]; probeModules: string[]; touched: TouchedCode }> {
  const files = await touchedFiles({ services, instance, scratch, base, candidates });
  const probeModules = [...new Set(files.flatMap(({ modules }) => modules.slice(0, 1)).map(topLevel))].sort();
  const touched = {
    paths: unique(files.map(({ path }) => path)),
    modules: unique(files.flatMap(({ modules }) => modules)),
    symbols: unique(files.flatMap(({ symbols }) => symbols)),
  };
  if (instance.testFiles.length > 0) {
    const testFiles = instance.testFiles.map((path) => ({ path, reason: 'named by the user' }));
    return { testFiles, probeModules, touched };
  }
  const tree = await listTree({ scratch, treeId: instance.repository.treeId });
  const paths = tree
    .filter(
      ({ path, bytes }) => isTestModule({ path, runner: instance.environment.runner }) && bytes <= MAX_TEST_FILE_BYTES,
    )
    .map(({ path }) => path)
    .slice(0, TEST_FILES_READ_AT_MOST);
  const texts = await Promise.all(paths.map(async (path) => ({ path, text: (await base.text(path)) ?? '' })));
  const ranked = await rankTestFiles({ testFiles: texts, touched: files, issue: instance.issue, limit });
  const fallback = paths.slice(0, limit).map((path) => ({ path, reason: 'no test names what the candidates touch' }));
  return { testFiles: ranked.length > 0 ? [...ranked] : fallback, probeModules, touched };
}

async function touchedFiles({
  services,
  instance,
  scratch,
  base,
  candidates,
}: {
  services: Services;
  instance: InstanceSpec;
  scratch: Scratch;
  base: BaseFiles;
  candidates: readonly UsableCandidate[];
}): Promise<TouchedFile[]> {
  const touched: TouchedFile[] = [];
  for (const candidate of candidates) {
    const patchText = await getText({ store: services.store, ref: candidate.sourcePatch });
    for (const path of candidate.changedFiles.filter((each) => each.endsWith('.py'))) {
      const after = await readTreeFile({ scratch, treeId: candidate.treeId, path });
      const newText = after === undefined ? '' : new TextDecoder().decode(after);
      const oldText = (await base.text(path)) ?? '';
      touched.push(await touchedSymbols({ patchText, oldText, newText, path, roots: instance.environment.pythonPath }));
    }
  }
  return touched;
}

const unique = (names: readonly string[]): string[] => [...new Set(names)].sort();

const topLevel = (module: string): string => module.split('.', 1)[0] ?? module;
