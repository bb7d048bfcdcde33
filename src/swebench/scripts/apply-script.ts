import type { HarnessRules } from '../logs/log-parser.js';
import type { PlaceLayout } from './place.js';
import { shellQuote } from './shell-quote.js';

const COMMANDS: Readonly<Record<HarnessRules, readonly string[]>> = {
  v4: ['git apply --verbose', 'git apply --verbose --reject', 'patch --batch --fuzz=5 -p1 -i'],
  v5: [
    'git apply --verbose',
    'git apply --verbose --3way',
    'git apply --verbose --reject',
    'patch --batch --forward --fuzz=5 -p1 -i',
  ],
};

/** Exit code of {@link applyScript} when no command could apply the patch; any other but 0 is trouble of ours. */
export const NOT_APPLIED = 79;

/**
 * Script that applies a patch as the harness does: the first command that succeeds, whatever those before it left
 * (v4), or from a clean tree each time, and with a patch that is already there counting as applied (v5).
 */
export function applyScript({ rules, layout }: { rules: HarnessRules; layout: PlaceLayout }): string {
  const patch = shellQuote(layout.patchFile);
  const attempts = COMMANDS[rules].flatMap((command, index) => [
    ...(rules === 'v5' && index > 0 ? ['git checkout -- . ; git clean -fd'] : []),
    `if ${command} ${patch}; then exit 0; fi`,
    `echo 'Failed to apply patch to container: ${command}'`,
  ]);
  return script([
    `cd ${shellQuote(layout.root)} || exit 1`,
    `git config --global --add safe.directory ${shellQuote(layout.root)}`,
    ...attempts,
    ...(rules === 'v5'
      ? [`if git apply --check --reverse ${patch}; then echo 'verified already applied'; exit 0; fi`]
      : []),
    `exit ${NOT_APPLIED}`,
  ]);
}

/** Script that prints what the working tree changes, without changes of permissions. */
export const diffScript = ({ layout }: { layout: PlaceLayout }): string =>
  script([`cd ${shellQuote(layout.root)} || exit 1`, 'git -c core.fileMode=false diff']);

const script = (lines: readonly string[]): string => `${['#!/bin/bash', ...lines].join('\n')}\n`;
