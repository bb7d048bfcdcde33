import type { ChatMessage } from '../../core/chat.js';
import type { RowJudgement } from '../../core/matrix.js';
import type { TestOrigin } from '../../core/suite.js';
import { type CheckerSituation, checkerSystem } from './checker-system.js';
import type { Excerpt } from './row-facts.js';
import { clip, delimited, sections } from './text.js';

const PATCHES_CHARS = 80_000;
const ROWS_CHARS = 60_000;
const SOURCE_CHARS = 4000;

/** A candidate as the checker sees it. */
export interface CheckedCandidate {
  readonly label: string;
  /** Its source changes as a diff, without its test changes. */
  readonly patch: string;
}

/** A row as the checker sees it. */
export interface CheckedRow {
  readonly testId: string;
  /** Ids of rows of the same test that ended alike and are not shown. */
  readonly alike: readonly string[];
  readonly origin: TestOrigin;
  readonly source: string;
  /** Labels of those that pass; at least one other fails. */
  readonly passedBy: readonly string[];
  /** What outcomeLine gives: who passes and who fails, by label, and the base. */
  readonly outcomes: string;
  readonly excerpts: readonly Excerpt[];
  readonly judgement: RowJudgement | null;
}

/** What the checker decides about. */
export interface CheckerSubject {
  readonly situation: CheckerSituation;
  readonly issue: string;
  /** In the seeded order, in which they are shown. */
  readonly candidates: readonly CheckedCandidate[];
  /** The differential rows, what proves most first. */
  readonly rows: readonly CheckedRow[];
  /** True when rows were judged: then only evidence decides for a candidate. */
  readonly judged: boolean;
  /** Labels that may be chosen: the leaders where evidence decided the lead, else all. */
  readonly allowed: readonly string[];
  /** What renderMatrix gives, where there are few differential rows or none; empty to leave it out. */
  readonly matrixView?: string | undefined;
}

/** System and user message of the checker: a context of its own, with candidates under their labels. */
export function checkerMessages(subject: CheckerSubject): ChatMessage[] {
  const { situation, issue, candidates, rows, allowed, matrixView = '' } = subject;
  const patchChars = Math.floor(PATCHES_CHARS / Math.max(1, candidates.length));
  const rowChars = Math.floor(ROWS_CHARS / Math.max(1, rows.length));
  const user = sections([
    ['Issue', delimited({ tag: 'issue', text: issue })],
    [
      'Candidates',
      candidates
        .map(
          ({ label, patch }) =>
            `### ${label}\n${delimited({ tag: 'diff', text: clip({ text: patch, maxChars: patchChars }) })}`,
        )
        .join('\n\n'),
    ],
    [
      'Differential tests',
      rows.map((row) => clip({ text: rowText(row), maxChars: rowChars })).join('\n\n') || 'There is none.',
    ],
    ['All results', matrixView ? delimited({ tag: 'results', text: matrixView }) : ''],
    [
      'Now',
      `Decide, and call \`submit_decision\` once. You may choose ${allowed.join(', ')}, or null when none of them is acceptable.`,
    ],
  ]);
  return [
    { role: 'system', content: checkerSystem({ situation }) },
    { role: 'user', content: user },
  ];
}

function rowText({ testId, alike, origin, source, outcomes, excerpts, judgement }: CheckedRow): string {
  const more = alike.length > 0 ? `; ${alike.length} more of its parameters or classes end alike` : '';
  const judged = judgement
    ? `Judged ${judgement.class}${judgement.quote ? `, by "${judgement.quote}"` : ''}: ${judgement.reason}`
    : '';
  return [
    `### ${testId} (${origin}${more})`,
    `Outcomes: ${outcomes}`,
    ...(judged ? [judged] : []),
    delimited({ tag: 'test', text: clip({ text: source, maxChars: SOURCE_CHARS }) }),
    ...excerpts.map(
      ({ labels, message }) =>
        `Failure on ${labels.join(', ')}:\n${delimited({ tag: 'failure', text: message || '(no message)' })}`,
    ),
  ].join('\n');
}
