import { z } from 'zod';
import type { ToolCall, ToolDefinition } from '../../core/chat.js';
import { parseArguments, toolOf } from '../testgrad/tool-arguments.js';

const path = z.string().min(1).describe('Absolute path inside the repository, or one relative to its root.');

const SCHEMAS = {
  bash: z.object({
    command: z.string().min(1).describe('The command. Each call starts a new shell at the root of the repository.'),
  }),
  str_replace_based_edit_tool: z.discriminatedUnion('command', [
    z.object({
      command: z.literal('view'),
      path,
      view_range: z
        .array(z.int())
        .length(2)
        .describe('First and last line, from 1; -1 for the end of the file.')
        .optional(),
    }),
    z.object({ command: z.literal('create'), path, file_text: z.string() }),
    z.object({
      command: z.literal('str_replace'),
      path,
      old_str: z.string().min(1).describe('Text that occurs exactly once in the file.'),
      new_str: z.string().default(''),
    }),
    z.object({
      command: z.literal('insert'),
      path,
      insert_line: z.int().min(0).describe('The line after which the text goes; 0 for the beginning.'),
      new_str: z.string(),
    }),
  ]),
} as const;

const DESCRIPTIONS: Readonly<Record<SelectorTool, string>> = {
  bash: 'Runs a command in a shell of its own, without network; files that it changes stay, its directory and variables do not.',
  str_replace_based_edit_tool: 'Views, creates and edits files of the repository.',
};

/** A tool of TRAE's selector. */
export type SelectorTool = keyof typeof SCHEMAS;

/** A well-formed call, by tool. */
export type SelectorCall = {
  readonly [Name in SelectorTool]: {
    readonly kind: 'call';
    readonly name: Name;
    readonly arguments: z.infer<(typeof SCHEMAS)[Name]>;
  };
}[SelectorTool];

/** The tools of TRAE's selector, for the request. */
export function selectorTools(): ToolDefinition[] {
  return (['bash', 'str_replace_based_edit_tool'] as const).map((name) =>
    toolOf({ name, description: DESCRIPTIONS[name], schema: SCHEMAS[name] }),
  );
}

/** Reads a call as the model wrote it; an unknown tool or unusable arguments come with the reason to tell the model. */
export function readSelectorCall({
  name,
  argumentsText,
}: Pick<ToolCall, 'name' | 'argumentsText'>): SelectorCall | { readonly kind: 'invalid'; readonly reason: string } {
  if (name !== 'bash' && name !== 'str_replace_based_edit_tool') {
    const offer = 'On offer: bash, str_replace_based_edit_tool.';
    return { kind: 'invalid', reason: `There is no tool "${name.slice(0, 80)}". ${offer}` };
  }
  const parsed = parseArguments({ name, argumentsText, schema: SCHEMAS[name] as z.ZodType });
  if (parsed.kind === 'invalid') return parsed;
  return { kind: 'call', name, arguments: parsed.value } as SelectorCall;
}
