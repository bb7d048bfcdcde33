import { z } from 'zod';
import type { SequenceDatabase } from '../../core/momentum/mine-database.js';
import { InputError } from '../../errors.js';

const item = z.union([z.string(), z.int()]);

const question = z.object({
  semantics: z.enum(['contiguous', 'gapped']),
  minSupport: z.int().min(1),
  maxGap: z.int().min(0).nullish(),
  itemsets: z.boolean().default(false),
  segments: z.boolean().default(false),
  sequences: z.array(z.unknown()),
});

/**
 * Reads a database of sequences with its question from JSON: `semantics` (`contiguous` or `gapped`), `minSupport`,
 * `sequences`, and where they differ from the plain case `itemsets` (elements are lists of items that happen at one
 * time), `segments` (a sequence is a list of functions, and no pattern reaches across two) and `maxGap` (items that may
 * be skipped between two matched ones). Items are texts or whole numbers. Other fields are not looked at.
 *
 * Throws TG-I14 for text that is no such question; `given` names it in the message.
 */
export function readDatabase({ text, given }: { text: string; given: string }): SequenceDatabase {
  const refused = (what: string): InputError =>
    new InputError({
      code: 'TG-I14',
      what: `${given}: ${what}`,
      meaning: 'Nothing was mined.',
      fix: 'Give a JSON file with semantics, minSupport and sequences.',
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused(`it is no JSON (${error instanceof Error ? error.message : String(error)}).`);
  }
  const checked = question.safeParse(value);
  if (!checked.success) throw refused(problemOf(checked.error));
  const { semantics, minSupport, maxGap, itemsets, segments, sequences } = checked.data;
  const documents = segments ? sequences : sequences.map((sequence) => [sequence]);
  if (semantics === 'contiguous' && (itemsets || typeof maxGap === 'number')) {
    throw refused('itemsets and maxGap only have a meaning with gapped semantics.');
  }
  const rest = { minSupport, maxGap: maxGap ?? null };
  if (itemsets && semantics === 'gapped') {
    const sets = z.array(z.array(z.array(z.array(item)))).safeParse(documents);
    if (!sets.success) throw refused(`in sequences, ${problemOf(sets.error)}`);
    return { semantics, ...rest, elements: 'sets', documents: sets.data };
  }
  const items = z.array(z.array(z.array(item))).safeParse(documents);
  if (!items.success) throw refused(`in sequences, ${problemOf(items.error)}`);
  return { semantics, ...rest, elements: 'items', documents: items.data };
}

function problemOf(error: z.ZodError): string {
  const issue = error.issues[0];
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not as expected'}.`;
}
