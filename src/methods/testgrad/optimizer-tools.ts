import { z } from 'zod';
import { type Parts, WHOLE_METHOD } from '../../core/ablation.js';
import type { ToolDefinition } from '../../core/chat.js';
import type { SuiteEdit } from '../../core/suite.js';
import { parseArguments, toolOf } from './tool-arguments.js';

/** Operations of one update at most. */
export const MAX_OPERATIONS = 20;

const path = z.string().min(1).describe('Path relative to the root of the repository, with forward slashes.');
const line = z.int().min(1);

const listFiles = z.object({ path: path.describe('Folder; the root when absent.').optional() });
const readFile = z.object({
  path,
  start: line.describe('First line, from 1.').optional(),
  end: line.describe('Last line, inclusive.').optional(),
});
const search = z.object({
  pattern: z.string().min(1).describe('Regular expression, matched line by line.'),
  path: path.describe('File or folder to search in; everywhere when absent.').optional(),
});
const showTest = z.object({
  file: path,
  test: z.string().min(1).describe('Qualified name, `Class::test` or `test`, without parameters.'),
});
const showCandidate = z.object({ label: z.string().min(1).describe('Label of the candidate, such as A.') });
const declareEqual = z.object({
  reason: z.string().min(1).describe('What was tried, and why no behaviour that the issue requires separates them.'),
});

const source = z
  .string()
  .min(1)
  .describe('The complete definition with its decorators, starting at column 0 (inside a class too); one definition.');
const imports = z
  .array(z.string().min(1))
  .describe('Import statements that the source needs at the top of the file, one statement an entry.')
  .optional();
const testName = z
  .string()
  .min(1)
  .describe(
    'Qualified name of an existing test or helper, `Class::test` or `test`; with the id in brackets, `test[1-2]`, for one row of its parametrisation.',
  );

const create = z.object({
  op: z.literal('create'),
  file: path.describe('Test file, existing or new, inside the tests of the repository.'),
  className: z
    .string()
    .min(1)
    .describe('Class the test goes into, existing or new; module level when absent.')
    .optional(),
  name: z.string().min(1).describe('Name of the function or class that `source` defines.'),
  source,
  imports,
});
const update = z.object({
  op: z.literal('update'),
  file: path,
  test: testName,
  source: source.describe(
    'The complete new definition, as for create; for one row of a parametrisation its new value alone, `pytest.param(…)` or `(1, 2)`.',
  ),
  imports,
  staleBecause: z
    .string()
    .min(1)
    .describe('Why the old expectation is stale, with the sentence of the issue that says so.'),
});
const remove = z.object({
  op: z.literal('delete'),
  file: path,
  test: testName,
  obsoleteBecause: z
    .string()
    .min(1)
    .describe('The sentence of the issue, quoted, or the failure on the base, that makes the test obsolete.'),
});

const failedDirection = z
  .string()
  .describe(
    'The direction that the failed updates show to be exhausted and that this update leaves; an empty string at first.',
  )
  .default('');
const reuse = z
  .array(
    z.object({
      aspect: z.enum(['api', 'assertion', 'fixture', 'base-class', 'expected-value', 'helper']),
      symbol: z.string().min(1),
      file: path,
    }),
  )
  .describe('What the update reuses of the repository’s testing knowledge.')
  .default([]);

const operations = z
  .array(z.discriminatedUnion('op', [create, update, remove]))
  .min(1)
  .max(MAX_OPERATIONS);

const submitUpdate: z.ZodType<SuiteEdit> = z.object({
  diagnosis: z.string().min(1).describe('Why the suite is still non-differential, or does not separate the leaders.'),
  failedDirection,
  reuse,
  operations,
});

/** What is on offer without some parts of the method. What a model writes is read with all of them, and then refused. */
function reducedUpdate({ read, update: mayUpdate, objective, memory }: Parts): z.ZodType {
  return z.object({
    diagnosis: z
      .string()
      .min(1)
      .describe(
        objective === 'loss'
          ? 'Why the suite is still non-differential, or does not separate the leaders.'
          : 'Why the tests do not tell the candidates apart.',
      ),
    ...(memory === 'none' ? {} : { failedDirection }),
    ...(read ? { reuse } : {}),
    operations: mayUpdate
      ? operations
      : z
          .array(z.discriminatedUnion('op', [create, remove]))
          .min(1)
          .max(MAX_OPERATIONS),
  });
}

const SCHEMAS = {
  list_files: listFiles,
  read_file: readFile,
  search,
  show_test: showTest,
  show_candidate: showCandidate,
  submit_update: submitUpdate,
  declare_equal: declareEqual,
} as const;

const DESCRIPTIONS: Readonly<Record<OptimizerTool, string>> = {
  list_files: 'Lists the files of a folder of the repository (base version with the present suite).',
  read_file: 'Reads a file of the repository, or a range of its lines, at most 800 lines a call.',
  search: 'Searches the repository with a regular expression; gives path, line and text of each match.',
  show_test: 'Shows one test with the fixtures, helpers and base classes that it uses.',
  show_candidate: 'Shows the source changes of one candidate as a diff.',
  submit_update: 'Submits the update of the suite. Ends this step; call it once, when you have read enough.',
  declare_equal:
    'Declares that no behaviour required by the issue separates the candidates in the lead. Ends the search; only after real attempts.',
};

/** A tool of the optimizer. */
export type OptimizerTool = keyof typeof SCHEMAS;

/** A well-formed call of the optimizer, by tool. */
export type OptimizerCall = {
  readonly [Name in OptimizerTool]: {
    readonly kind: 'call';
    readonly name: Name;
    readonly arguments: z.infer<(typeof SCHEMAS)[Name]>;
  };
}[OptimizerTool];

/** The tools on offer in one turn: reading and submitting always, the other two where allowed. */
export function optimizerToolNames({
  showCandidates,
  mayDeclareEqual,
  mayRead = true,
  mustSubmit = false,
}: {
  showCandidates: boolean;
  mayDeclareEqual: boolean;
  /** False where the method goes without Read. */
  mayRead?: boolean;
  /** True when turns are used up: only tools that end the step remain. */
  mustSubmit?: boolean;
}): OptimizerTool[] {
  const reading: OptimizerTool[] = ['list_files', 'read_file', 'search', 'show_test'];
  return [
    ...(mustSubmit || !mayRead ? [] : reading),
    ...(showCandidates && !mustSubmit ? (['show_candidate'] as const) : []),
    'submit_update',
    ...(mayDeclareEqual ? (['declare_equal'] as const) : []),
  ];
}

/** Definitions of the named tools, for the request: an update holds what the parts of the method allow. */
export function optimizerTools(names: readonly OptimizerTool[], parts: Parts = WHOLE_METHOD): ToolDefinition[] {
  return names.map((name) => {
    if (name !== 'submit_update') return toolOf({ name, description: DESCRIPTIONS[name], schema: SCHEMAS[name] });
    const description = parts.read ? DESCRIPTIONS[name] : 'Submits the update of the suite. Ends this step.';
    return toolOf({ name, description, schema: reducedUpdate(parts) });
  });
}

/** Reads a call as the model wrote it; an invalid one comes with the reason to tell the model. */
export function parseToolCall({
  name,
  argumentsText,
  allowed,
}: {
  name: string;
  argumentsText: string;
  allowed: readonly OptimizerTool[];
}): OptimizerCall | { readonly kind: 'invalid'; readonly reason: string } {
  const tool = allowed.find((each) => each === name);
  if (!tool) {
    return { kind: 'invalid', reason: `There is no tool "${name}" now. On offer: ${allowed.join(', ')}.` };
  }
  const parsed = parseArguments({ name, argumentsText, schema: SCHEMAS[tool] as z.ZodType });
  if (parsed.kind === 'invalid') return parsed;
  return { kind: 'call', name: tool, arguments: parsed.value } as OptimizerCall;
}
