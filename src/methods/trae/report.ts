/** What a model's message is to TRAE's selector. `number` counts from 1; null names none of the candidates. */
export type SelectorReport =
  | { readonly kind: 'choice'; readonly number: number | null }
  /** A report without its analysis: no decision, and nothing is said to the model. */
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'none' };

const STATUS = /(?:###\s*)?Status:\s*(?:success|succeed|successfully|successful)\s*\n\s*(?:###\s*)?Result:/;
const RESULT = /(?:###\s*)?Result:([\s\S]*?)(?:###\s*)?Analysis:/;

/**
 * Reads the final report of TRAE's selector, as published: a Status line of success, then Result, then Analysis; the
 * result's text after its last `Patch-` has to be exactly one of 1 … `patches`. `**Patch-2**` names none, therefore.
 */
export function readReport({ text, patches }: { text: string; patches: number }): SelectorReport {
  if (!STATUS.test(text)) return { kind: 'none' };
  const result = RESULT.exec(text)?.[1];
  if (result === undefined) return { kind: 'unfinished' };
  const named = (result.split('Patch-').at(-1) ?? '').trim();
  const numbers = Array.from({ length: patches }, (_, index) => index + 1);
  return { kind: 'choice', number: numbers.find((each) => String(each) === named) ?? null };
}
