import { z } from 'zod';
import type { ChatMessage, ToolDefinition } from '../../core/chat.js';
import type { RowJudgement } from '../../core/matrix.js';
import type { TestOrigin } from '../../core/suite.js';
import { type CheckerSituation, checkerSystem } from './checker-system.js';
import { quoteOccurs } from './quotes.js';
import type { Excerpt } from './row-facts.js';
import { clip, delimited, sections } from './text.js';
import { parseArguments, toolOf } from './tool-arguments.js';

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
  readonly origin: TestOrigin;
  readonly source: string;
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
  /** The differential rows. */
  readonly rows: readonly CheckedRow[];
  /** Labels that may be chosen: the leaders where evidence decided the lead, else all. */
  readonly allowed: readonly string[];
  /** What renderMatrix gives, where there are few differential rows or none; empty to leave it out. */
  readonly matrixView?: string | undefined;
}

const decision = z.object({
  reason: z
    .string()
    .min(1)
    .describe('The reasoning, in a few sentences for a person: what decided, and what speaks against the others.'),
  candidate: z.string().nullable().describe('Label of the chosen candidate, or null when none is acceptable.'),
  decidingTests: z
    .array(
      z.object({
        testId: z.string().min(1).describe('Id of a test shown above.'),
        quote: z
          .string()
          .describe('The sentence of the issue that the test expresses, word for word; empty for a regression.')
          .default(''),
      }),
    )
    .describe('The tests that decided; empty when none did.')
    .default([]),
});

/** The checker's only tool. */
export const checkerTool = (): ToolDefinition =>
  toolOf({
    name: 'submit_decision',
    description: 'Submits the decision: the candidate, the tests that decided and the reason. Call it once.',
    schema: decision,
  });

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
      `Decide, and call \`submit_decision\` once. You may choose ${listed(allowed)}, or null when none of them is acceptable.`,
    ],
  ]);
  return [
    { role: 'system', content: checkerSystem({ situation }) },
    { role: 'user', content: user },
  ];
}

/** What came of the checker's call. `label` is null when it accepts none. */
export type ParsedDecision =
  | {
      readonly kind: 'decision';
      readonly label: string | null;
      readonly decidingTests: readonly { readonly testId: string; readonly quote: string }[];
      readonly reason: string;
    }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Reads and checks the checker's answer: the label is one that may be chosen, deciding tests are among those shown, and
 * where tests decided, at least one is named. A quote that does not stand in the issue is left empty.
 */
export function parseDecision({
  argumentsText,
  subject,
}: {
  argumentsText: string;
  subject: Pick<CheckerSubject, 'situation' | 'issue' | 'rows' | 'allowed'>;
}): ParsedDecision {
  const { situation, issue, rows, allowed } = subject;
  const parsed = parseArguments({ name: 'submit_decision', argumentsText, schema: decision });
  if (parsed.kind === 'invalid') return parsed;
  const label = readLabel(parsed.value.candidate);
  if (label !== null && !allowed.includes(label)) {
    return { kind: 'invalid', reason: `"${label}" cannot be chosen. Choose ${listed(allowed)}, or null.` };
  }
  const decidingTests = parsed.value.decidingTests.map(({ testId, quote }) => ({
    testId: rows.find((row) => row.testId === testId.trim())?.testId,
    given: testId,
    quote: quoteOccurs({ quote, text: issue }) ? quote.trim() : '',
  }));
  const unknown = decidingTests.filter(({ testId }) => testId === undefined).map(({ given }) => given);
  if (unknown.length > 0) {
    return { kind: 'invalid', reason: `These are not among the differential tests shown: ${unknown.join(', ')}.` };
  }
  if (situation === 'differential' && label !== null && decidingTests.length === 0) {
    return { kind: 'invalid', reason: 'Name at least one of the differential tests as deciding.' };
  }
  return {
    kind: 'decision',
    label,
    decidingTests: decidingTests.map(({ testId, quote }) => ({ testId: testId ?? '', quote })),
    reason: parsed.value.reason,
  };
}

/** Models write null in words, and labels with decoration. */
function readLabel(candidate: string | null): string | null {
  const text =
    candidate
      ?.trim()
      .replace(/^["'`*]+|["'`*.]+$/g, '')
      .replace(/^candidate\s+/i, '')
      .toUpperCase() ?? '';
  return text === '' || text === 'NULL' || text === 'NONE' ? null : text;
}

function rowText({ testId, origin, source, outcomes, excerpts, judgement }: CheckedRow): string {
  const judged = judgement
    ? `Judged ${judgement.class}${judgement.quote ? `, by "${judgement.quote}"` : ''}: ${judgement.reason}`
    : '';
  return [
    `### ${testId} (${origin})`,
    `Outcomes: ${outcomes}`,
    ...(judged ? [judged] : []),
    delimited({ tag: 'test', text: clip({ text: source, maxChars: SOURCE_CHARS }) }),
    ...excerpts.map(
      ({ labels, message }) =>
        `Failure on ${labels.join(', ')}:\n${delimited({ tag: 'failure', text: message || '(no message)' })}`,
    ),
  ].join('\n');
}

const listed = (labels: readonly string[]): string => labels.join(', ');
