import { z } from 'zod';
import type { OptionSpec } from '../option-spec.js';
import { CONFIG_KEYS } from './config-keys.js';

function shapeOf({ type, choices, min = 1, description, default: fallback }: OptionSpec): z.ZodType {
  const described = fallback === undefined ? description : `${description} (default: ${fallback})`;
  const word = z.string().min(1);
  const shape =
    type === 'switch'
      ? z.boolean()
      : type === 'count' || type === 'seconds'
        ? z.int().min(min)
        : choices !== undefined
          ? z.enum(choices as [string, ...string[]])
          : type === 'texts'
            ? z.union([word, z.array(word)])
            : // A name such as 4 or a sum such as 2.5 is text here; YAML reads it as a number.
              z.union([word, z.number()]);
  return shape.describe(described);
}

/** What testgrad.config.yaml may hold: plain data, no unknown keys. */
export const CONFIG_SCHEMA = z.strictObject({
  version: z.literal(1).optional().describe('version of this format'),
  ...Object.fromEntries(CONFIG_KEYS.map(({ key, spec }) => [key, shapeOf(spec).optional()])),
});

/** The same as a JSON Schema, for editors. */
export const configJsonSchema = (): object => ({
  $id: 'testgrad.config/1',
  title: 'testgrad.config.yaml',
  ...z.toJSONSchema(CONFIG_SCHEMA),
});
