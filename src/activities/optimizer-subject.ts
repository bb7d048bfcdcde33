import { getText } from '../artifacts/values.js';
import { partsOf } from '../core/ablation.js';
import type { UsableCandidate } from '../core/candidate.js';
import type { ChatMessage } from '../core/chat.js';
import type { Momentum } from '../core/failure-memory.js';
import { scoreMatrix } from '../core/score.js';
import { countTokens } from '../llm/tokens.js';
import { renderCandidates, renderLeaders, renderPassCounts } from '../methods/testgrad/candidates-view.js';
import { renderMatrix } from '../methods/testgrad/matrix-view.js';
import { optimizerMessages } from '../methods/testgrad/optimizer-prompt.js';
import { renderInventory } from '../source/inventory.js';
import type { OptimizerTurnInput } from './contract.js';
import { getDocument } from './documents.js';
import { type Inventory, inventoryOf } from './inventory.js';
import type { Services } from './services.js';
import { suiteView } from './suite-view.js';
import { loadSubject } from './turn-subject.js';

const INVENTORY_TOKENS = 1500;
const DIFFS_CHARS = 24_000;
const FAILED_BEFORE_CHANGES = 2;

/** System and first user message of a backward pass, from the references of its turn. */
export async function firstMessages({
  services,
  input,
}: {
  services: Services;
  input: OptimizerTurnInput;
}): Promise<ChatMessage[]> {
  const subject = await loadSubject({ services, input });
  const { instance, prepared, suite, matrix, base, candidates, labels } = subject;
  const { settings } = input;
  const { extensions } = settings;
  const parts = partsOf(settings);
  const inventory: Inventory = await inventoryOf({ services, prepared, suite, base });
  const momentum =
    input.momentum === null ? null : await getDocument<Momentum>({ store: services.store, ref: input.momentum });
  return optimizerMessages({
    issue: instance.issue,
    runner: instance.environment.runnerVersion,
    // The patch level decides nothing about tests, and recorded sessions hold on any of them.
    pythonVersion: instance.environment.pythonVersion.split('.').slice(0, 2).join('.'),
    suiteView: await suiteView({ services, suite, base, matrix }),
    matrixView: renderMatrix({ matrix, labels }),
    score: scoreMatrix({ matrix, settings, previousLeaders: input.leaders }),
    momentumText: momentum?.text ?? '',
    inventoryText: renderInventory({ inventory, countTokens, maxTokens: INVENTORY_TOKENS }),
    step: input.step + 1,
    steps: settings.steps,
    leadersView:
      parts.objective === 'pass-count'
        ? renderPassCounts({ matrix, labels })
        : extensions.separateLeaders
          ? renderLeaders({ leaders: input.leaders, ids: matrix.candidates, labels })
          : '',
    candidatesView: extensions.showCandidates ? await candidatesView({ services, input, candidates }) : undefined,
    extensions,
    parts,
  });
}

/**
 * The candidates in a line each. When two updates on the present lead have failed, tests alone bring nothing: then with
 * the changes of those in the lead, as far as they are short, so that no further update has to ask for them.
 */
async function candidatesView({
  services,
  input,
  candidates,
}: {
  services: Services;
  input: OptimizerTurnInput;
  candidates: readonly UsableCandidate[];
}): Promise<string> {
  const list = renderCandidates(candidates);
  const leaders = candidates.filter(({ id }) => input.leaders.includes(id));
  if (input.failedInLead < FAILED_BEFORE_CHANGES) return list;
  const changes = await Promise.all(
    leaders.map(async ({ label, sourcePatch }) => {
      const diff = await getText({ store: services.store, ref: sourcePatch });
      return `${label} changes:\n${diff}`;
    }),
  );
  const text = changes.join('\n');
  return text.length > DIFFS_CHARS ? list : `${list}\n\n${text}`;
}
