import { MARKERS } from '../grading/markers.js';
import type { EvaluationInstance } from '../instance.js';
import type { HarnessRules } from '../logs/log-parser.js';
import type { ProjectSpec } from '../projects.js';
import type { PlaceLayout } from './place.js';
import { shellQuote } from './shell-quote.js';
import { patchedFiles, testDirectives } from './test-patch.js';

const HEAD = ['#!/bin/bash', 'set -uxo pipefail'];
const EXIT_CODE_VARIABLE = 'SWEBENCH_TEST_EXIT_CODE';

/**
 * The script that brings in the developers' tests and runs them, as bytes for a shell: `\n` line ends of its own, the
 * patch's bytes as they are.
 *
 * A row's own script (v5) is used as it is in an image; elsewhere, and without one, it is made from the project's
 * set-up, line for line as harness 4.1 makes it, with three differences: files that the tests add are removed (4.1
 * resets the whole tree when all files are new), paths are quoted where a shell needs it, and under the rules of v5 the
 * tests' exit code is recorded.
 *
 * Null for an instance without a script whose project or version has no known set-up (`spec` null).
 */
export function evalScript({
  instance,
  spec,
  rules,
  layout,
}: {
  instance: EvaluationInstance;
  spec: ProjectSpec | null;
  rules: HarnessRules;
  layout: PlaceLayout;
}): string | null {
  if (instance.evalScript !== null && layout.isImage) {
    const lines = instance.evalScript.trim().split('\n');
    return finished({ lines: lines.filter((line) => !HEAD.includes(line)), rules });
  }
  return spec === null ? null : finished({ lines: projectLines({ instance, spec, layout }), rules });
}

function projectLines({
  instance,
  spec,
  layout,
}: {
  instance: EvaluationInstance;
  spec: ProjectSpec;
  layout: PlaceLayout;
}): string[] {
  const root = shellQuote(layout.root);
  const base = layout.baseRef ?? instance.baseCommit;
  const reset = resetLines({ testPatch: instance.testPatch, base });
  const directives = testDirectives({ repo: instance.repo, testPatch: instance.testPatch }).map(shellQuote);
  return [
    ...layout.activate,
    `cd ${root}`,
    ...(layout.isImage ? spec.before : spec.before.filter((line) => line.startsWith('export '))),
    `git config --global --add safe.directory ${root}`,
    `cd ${root}`,
    'git status',
    // Where the base is the only commit, it is shown as a whole.
    ...(layout.isImage ? ['git show'] : []),
    `git -c core.fileMode=false diff ${base}`,
    ...layout.activate,
    ...(layout.isImage ? [spec.install] : []),
    ...reset,
    applyHere(instance.testPatch),
    `: '${MARKERS.start}'`,
    [spec.testCommand, ...directives].join(' '),
    `: '${MARKERS.end}'`,
    ...reset,
  ];
}

function resetLines({ testPatch, base }: { testPatch: string; base: string }): string[] {
  const { modified, added } = patchedFiles(testPatch);
  return [
    ...(added.length === 0 ? [] : [`rm -f ${added.map(shellQuote).join(' ')}`]),
    ...(modified.length === 0 ? [] : [`git checkout ${base} ${modified.map(shellQuote).join(' ')}`]),
  ];
}

/** The patch as a here-document, whose end is a line that the patch does not have. */
function applyHere(patch: string): string {
  let end = 'EOF_114329324912';
  while (patch.split('\n').includes(end)) end += '0';
  return `git apply -v - <<'${end}'\n${patch}\n${end}`;
}

/** Head, lines and (v5) the tests' exit code, which is told outside of the part that is parsed. */
function finished({ lines, rules }: { lines: readonly string[]; rules: HarnessRules }): string {
  const end = lines.findIndex((line) => line.includes(MARKERS.end));
  const told =
    rules === 'v4' || end === -1
      ? lines
      : [
          ...lines.slice(0, end),
          `${EXIT_CODE_VARIABLE}=$?`,
          lines[end] ?? '',
          `echo "${MARKERS.exitCode}: $${EXIT_CODE_VARIABLE}"`,
          ...lines.slice(end + 1),
        ];
  return `${[...HEAD, ...told].join('\n')}\n`;
}
