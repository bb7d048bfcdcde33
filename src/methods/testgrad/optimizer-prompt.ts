import { type Parts, WHOLE_METHOD } from '../../core/ablation.js';
import type { ChatMessage } from '../../core/chat.js';
import type { Score } from '../../core/matrix.js';
import type { Extensions } from '../../core/settings.js';
import { optimizerSystem } from './optimizer-system.js';
import { delimited, sections } from './text.js';

/** Everything that the first two messages of a backward pass are made of; texts are rendered by the caller. */
export interface OptimizerSubject {
  readonly issue: string;
  /** Runner and version, such as `pytest 8.4.2`. */
  readonly runner: string;
  readonly pythonVersion: string;
  /** The relevant tests of y_t. */
  readonly suiteView: string;
  /** What renderMatrix gives. */
  readonly matrixView: string;
  readonly score: Score;
  /** Text of the momentum; empty before the first failed update. */
  readonly momentumText: string;
  /** The repository's testing knowledge in its six aspects. */
  readonly inventoryText: string;
  /** The step whose update is asked for, from 1. */
  readonly step: number;
  /** Steps at most. */
  readonly steps: number;
  /** What renderLeaders gives; empty where the lead plays no part. */
  readonly leadersView: string;
  /** What renderCandidates gives; absent where candidates are not shown. */
  readonly candidatesView?: string | undefined;
  readonly extensions: Extensions;
  /** Parts of the method; all of them by default. Without a part its text is left out, whatever is given. */
  readonly parts?: Parts | undefined;
}

/**
 * System and first user message of a backward pass.
 *
 * What stays the same over the steps comes first. Candidates appear under their labels only, as far as the given texts
 * keep to that.
 */
export function optimizerMessages(subject: OptimizerSubject): ChatMessage[] {
  const { issue, runner, pythonVersion, suiteView, matrixView, inventoryText, leadersView } = subject;
  const { parts = WHOLE_METHOD } = subject;
  const frame = (tag: string, text: string) => (text.trim() === '' ? '' : delimited({ tag, text }));
  const user = sections([
    ['Issue', frame('issue', issue)],
    ['Test set-up', `${runner}, Python ${pythonVersion}.`],
    ['Candidates', frame('candidates', subject.candidatesView ?? '')],
    ['Testing knowledge of the repository', parts.read ? frame('inventory', inventoryText) : ''],
    ['Relevant tests of the suite', frame('tests', suiteView)],
    ['Execution', [scoreText(subject), leadersView, frame('results', matrixView)].filter(Boolean).join('\n\n')],
    memorySection(subject),
    ['Now', nowText(subject)],
  ]);
  return [
    { role: 'system', content: optimizerSystem({ extensions: subject.extensions, parts }) },
    { role: 'user', content: user },
  ];
}

function memorySection({ momentumText, parts = WHOLE_METHOD }: OptimizerSubject): readonly [string, string] {
  const { memory } = parts;
  if (memory === 'none') return ['', ''];
  const tag = memory === 'momentum' ? 'momentum' : 'failed_updates';
  const text = momentumText.trim() === '' ? 'No update has failed yet.' : delimited({ tag, text: momentumText });
  return [memory === 'momentum' ? 'Momentum of the failed updates' : 'The failed updates', text];
}

function scoreText({ score, step, extensions, parts = WHOLE_METHOD }: OptimizerSubject): string {
  const { loss, leaderLoss, counts } = score;
  const suite = `y_${step - 1}`;
  const tail = `${counts.rows} rows: ${counts.differential} differential, ${counts.weak} weak, ${counts.flaky} flaky, ${counts.uniform} on which all candidates agree.`;
  if (parts.objective === 'pass-count') return tail;
  if (loss === 1) return `L(${suite}) = 1: no test of the suite passes on one candidate and fails on another. ${tail}`;
  if (!extensions.judgeRows) return `L(${suite}) = 0. ${tail}`;
  const lead = leaderLoss === 1 ? ' They do not yet separate the candidates in the lead.' : '';
  return `L(${suite}) = 0, ${counts.evidence} of the differential rows are evidence.${lead} ${tail}`;
}

function nowText({ step, steps, parts = WHOLE_METHOD }: OptimizerSubject): string {
  const left = steps - step;
  const rest = left > 0 ? `${left} more after it.` : 'It is the last one.';
  return `This is update ${step} of at most ${steps}; ${rest} ${parts.read ? 'Read what you need, then submit' : 'Submit'} the update with \`submit_update\`.`;
}
