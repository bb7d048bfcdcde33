import { z } from 'zod';
import type { ToolDefinition } from '../../core/chat.js';

/** Problems named to the model at most; more do not help it. */
const MAX_PROBLEMS = 5;

/** No tool takes more; thousands of levels would exhaust the stack. */
const MAX_DEPTH = 100;

/** What a model's arguments turned out to be: of the asked shape, or not, with a reason for the model. */
export type ParsedArguments<Shape> =
  | { readonly kind: 'valid'; readonly value: Shape }
  | { readonly kind: 'invalid'; readonly reason: string };

/** A tool whose arguments are described by a zod schema. */
export function toolOf({
  name,
  description,
  schema,
}: {
  name: string;
  description: string;
  schema: z.ZodType;
}): ToolDefinition {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(schema, {
    // Endpoints that check schemas know anyOf better than oneOf.
    override: ({ jsonSchema }) => {
      if (!jsonSchema.oneOf) return;
      jsonSchema.anyOf = jsonSchema.oneOf;
      delete jsonSchema.oneOf;
    },
  });
  return { name, description, parameters };
}

/**
 * Reads arguments as a model wrote them.
 *
 * Harmless deviations are taken: JSON inside a JSON string (the whole, or a list or object inside it), null for
 * something optional, unknown keys, and nothing at all for `{}`. Everything else is refused with a reason.
 */
export function parseArguments<Shape>({
  name,
  argumentsText,
  schema,
}: {
  name: string;
  argumentsText: string;
  schema: z.ZodType<Shape>;
}): ParsedArguments<Shape> {
  const given = argumentsText.trim() === '' ? {} : unwrap(argumentsText);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    const cut = argumentsText.length > 200 ? ' They may have been cut: write less at a time.' : '';
    return { kind: 'invalid', reason: `The arguments of ${name} are not a JSON object.${cut}` };
  }
  const variants = [given, withUnwrappedLists(given), withoutNulls(given), withUnwrappedLists(withoutNulls(given))];
  const attempts = variants.map((variant) => schema.safeParse(variant));
  const valid = attempts.find((attempt) => attempt.success);
  if (valid) return { kind: 'valid', value: valid.data };
  // The attempt with the fewest problems is the one that the model meant.
  const [issues = []] = attempts.map(({ error }) => error?.issues ?? []).sort((a, b) => a.length - b.length);
  const problems = issues.map((issue) => `${pathOf(issue.path)}: ${issue.message}`);
  const more = problems.length > MAX_PROBLEMS ? ` (and ${problems.length - MAX_PROBLEMS} more)` : '';
  return { kind: 'invalid', reason: `${name} was not accepted. ${problems.slice(0, MAX_PROBLEMS).join('; ')}${more}.` };
}

function unwrap(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return unwrap(value);
    return isDeeper({ value, levels: MAX_DEPTH }) ? undefined : value;
  } catch {
    return undefined;
  }
}

function isDeeper({ value, levels }: { value: unknown; levels: number }): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper({ value: inner, levels: levels - 1 }));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}

function withUnwrappedLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      const opened = typeof inner === 'string' && /^\s*[[{]/.test(inner) ? unwrap(inner) : undefined;
      return [key, opened === undefined ? inner : withoutNulls(opened)];
    }),
  );
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '') || 'arguments';
