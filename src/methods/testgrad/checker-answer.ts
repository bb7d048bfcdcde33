import { z } from 'zod';
import type { ToolDefinition } from '../../core/chat.js';
import { EVIDENCE_CLASSES } from '../../core/suite.js';
import type { CheckedRow, CheckerSubject } from './checker.js';
import { quoteOccurs } from './quotes.js';
import { parseArguments, toolOf } from './tool-arguments.js';

/** Tests named in a reason at most. */
const NAMED_AT_MOST = 5;

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
 * where tests decided, at least one is named. Where rows were judged, a test that decides for a candidate is evidence and
 * passes on it. A quote that does not stand in the issue is left empty.
 */
export function parseDecision({
  argumentsText,
  subject,
}: {
  argumentsText: string;
  subject: Pick<CheckerSubject, 'situation' | 'issue' | 'rows' | 'judged' | 'allowed'>;
}): ParsedDecision {
  const { situation, issue, rows, judged, allowed } = subject;
  const parsed = parseArguments({ name: 'submit_decision', argumentsText, schema: decision });
  if (parsed.kind === 'invalid') return parsed;
  const label = readLabel(parsed.value.candidate);
  if (label !== null && !allowed.includes(label)) {
    return { kind: 'invalid', reason: `"${label}" cannot be chosen. Choose ${allowed.join(', ')}, or null.` };
  }
  const named = parsed.value.decidingTests.map(({ testId, quote }) => ({
    testId: testId.trim(),
    row: rows.find((row) => [row.testId, ...row.alike].includes(testId.trim())),
    quote: quoteOccurs({ quote, text: issue }) ? quote.trim() : '',
  }));
  const unknown = named.filter(({ row }) => row === undefined).map(({ testId }) => testId);
  if (unknown.length > 0) {
    return { kind: 'invalid', reason: `These are not among the differential tests shown: ${unknown.join(', ')}.` };
  }
  const deciding = label === null ? [] : rows.filter((row) => !judged || whyNotFor({ row, label }) === null);
  if (label !== null && judged) {
    const problems = named.flatMap(({ row }) => (row === undefined ? [] : (whyNotFor({ row, label }) ?? [])));
    if (problems.length > 0) return { kind: 'invalid', reason: notDeciding({ problems, deciding, label }) };
  }
  if (situation === 'differential' && deciding.length > 0 && named.length === 0) {
    return { kind: 'invalid', reason: 'Name at least one of the differential tests as deciding.' };
  }
  return {
    kind: 'decision',
    label,
    decidingTests: named.map(({ testId, quote }) => ({ testId, quote })),
    reason: parsed.value.reason,
  };
}

/** Why a row does not decide for a candidate, for the model; null where it does. */
function whyNotFor({ row, label }: { row: CheckedRow; label: string }): string | null {
  const { testId, judgement, passedBy } = row;
  if (judgement === null) return `${testId} was not judged, so it is no evidence.`;
  if (!EVIDENCE_CLASSES.includes(judgement.class)) return `${testId} was judged ${judgement.class}: no evidence.`;
  return passedBy.includes(label) ? null : `${testId} does not pass on ${label}.`;
}

function notDeciding({
  problems,
  deciding,
  label,
}: {
  problems: readonly string[];
  deciding: readonly CheckedRow[];
  label: string;
}): string {
  const ids = deciding.slice(0, NAMED_AT_MOST).map(({ testId }) => testId);
  const evidence =
    ids.length > 0
      ? `Evidence that passes on ${label}: ${ids.join(', ')}.`
      : `No evidence passes on ${label}: name none.`;
  return `${[...new Set(problems)].slice(0, NAMED_AT_MOST).join(' ')} ${evidence} Or choose another candidate.`;
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
