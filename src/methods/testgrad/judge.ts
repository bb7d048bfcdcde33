import { z } from 'zod';
import type { ChatMessage, ToolDefinition } from '../../core/chat.js';
import type { RowJudgement } from '../../core/matrix.js';
import type { OutcomeStatus } from '../../core/outcome.js';
import type { TestOrigin } from '../../core/suite.js';
import { JUDGE_SYSTEM } from './judge-system.js';
import { quoteOccurs } from './quotes.js';
import { clip, delimited, sections } from './text.js';
import { parseArguments, toolOf } from './tool-arguments.js';

const SOURCE_CHARS = 6000;
const FAILURE_CHARS = 1000;
const FAILURES_AT_MOST = 3;

/** A differential row as the judge sees it: nothing tells which candidate, or how many, pass. */
export interface JudgedRow {
  /** Key under which the judgement is kept. */
  readonly key: string;
  readonly testId: string;
  readonly origin: TestOrigin;
  /** The test with the helpers it needs to be understood; for a collection row what is known of the file. */
  readonly source: string;
  readonly base: OutcomeStatus;
  /** Failure messages without names, see unlabelledFailures. */
  readonly failures: readonly string[];
}

const judgements = z.object({
  judgements: z
    .array(
      z.object({
        key: z.string().min(1).describe('Key of the row, such as R1.'),
        reason: z
          .string()
          .min(1)
          .describe(
            'The reasoning: what is asserted, what the issue says, the expected value worked out, could a right solution fail?',
          ),
        class: z.enum(['issue', 'regression', 'convention', 'stale', 'incidental']),
        quote: z
          .string()
          .describe(
            'For issue and stale: the sentence of the issue, copied word for word; its line breaks do not matter. Empty otherwise.',
          )
          .default(''),
      }),
    )
    .min(1),
});

/** The judge's only tool. */
export const judgeTool = (): ToolDefinition =>
  toolOf({
    name: 'submit_judgements',
    description: 'Submits the class of every row, each with its reasoning and its quote. Call it once.',
    schema: judgements,
  });

/** System and user message for judging rows against the issue; the judge sees neither candidates nor who passes. */
export function judgeMessages({ issue, rows }: { issue: string; rows: readonly JudgedRow[] }): ChatMessage[] {
  const user = sections([
    ['Issue', delimited({ tag: 'issue', text: issue })],
    ['Rows', rows.map((row, index) => rowText({ row, index })).join('\n\n')],
    ['Now', `Judge ${rows.length === 1 ? 'the row' : `all ${rows.length} rows`} and call \`submit_judgements\` once.`],
  ]);
  return [
    { role: 'system', content: JUDGE_SYSTEM },
    { role: 'user', content: user },
  ];
}

/** What came of a judge's call; `missing` are keys of rows it left out. */
export type ParsedJudgements =
  | {
      readonly kind: 'judged';
      readonly judgements: Readonly<Record<string, RowJudgement>>;
      readonly missing: readonly string[];
    }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Reads and checks the judge's answer.
 *
 * What cannot be held is lowered to `incidental`: class `issue` or `stale` without a quote that really stands in the
 * issue, and `regression` where the base does not pass. A quote of another class that is not in the issue is dropped.
 */
export function parseJudgements({
  argumentsText,
  rows,
  issue,
}: {
  argumentsText: string;
  rows: readonly JudgedRow[];
  issue: string;
}): ParsedJudgements {
  const parsed = parseArguments({ name: 'submit_judgements', argumentsText, schema: judgements });
  if (parsed.kind === 'invalid') return parsed;
  const held: Record<string, RowJudgement> = {};
  for (const { key, ...judgement } of parsed.value.judgements) {
    const row = rows.find((each, index) => [rowName(index), each.key, each.testId].includes(key.trim()));
    if (row) held[row.key] = holdable({ judgement, row, issue });
  }
  if (Object.keys(held).length === 0) {
    return {
      kind: 'invalid',
      reason: `None of the keys is one of the rows: ${rows.map((_, i) => rowName(i)).join(', ')}.`,
    };
  }
  return { kind: 'judged', judgements: held, missing: rows.map(({ key }) => key).filter((key) => !(key in held)) };
}

function holdable({ judgement, row, issue }: { judgement: RowJudgement; row: JudgedRow; issue: string }): RowJudgement {
  const isQuoted = quoteOccurs({ quote: judgement.quote, text: issue });
  const quote = isQuoted ? judgement.quote.trim() : '';
  const lowered = (why: string): RowJudgement => ({
    class: 'incidental',
    quote: '',
    reason: `${why} It was judged ${judgement.class}: ${judgement.reason}`,
  });
  if ((judgement.class === 'issue' || judgement.class === 'stale') && !isQuoted) {
    return lowered('The quote does not stand in the issue.');
  }
  if (judgement.class === 'regression' && row.base !== 'passed') return lowered('The base does not pass it.');
  return { class: judgement.class, quote, reason: judgement.reason };
}

const rowName = (index: number): string => `R${index + 1}`;

const ORIGINS: Readonly<Record<TestOrigin, string>> = {
  original: 'a test that the project has',
  created: 'a test that was written for this comparison',
  updated: 'a test of the project that was changed for this comparison',
};

function rowText({ row, index }: { row: JudgedRow; index: number }): string {
  const failures = row.failures
    .slice(0, FAILURES_AT_MOST)
    .map((text) => delimited({ tag: 'failure', text: clip({ text, maxChars: FAILURE_CHARS }) }));
  return [
    `### ${rowName(index)}: ${row.testId}`,
    `Origin: ${ORIGINS[row.origin]}. On the unpatched base: ${row.base}. Differs among the candidates.`,
    delimited({ tag: 'test', text: clip({ text: row.source, maxChars: SOURCE_CHARS }) }),
    ...(failures.length > 0 ? ['Where it fails, it says:', ...failures] : []),
  ].join('\n');
}
