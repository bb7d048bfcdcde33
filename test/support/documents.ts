import { expect } from 'vitest';
import { DOCUMENTS } from '../../src/cli/schemas/documents.js';

/** What a command of the harness prints in the harness's own form. */
const FOREIGN = ['evaluate'];

/**
 * Holds what a command printed with --json or --events against the published schemas: one document, or lines of which
 * the first is `launch` and the last `done`. Every test that runs such a command goes through here.
 */
export function expectDocuments({ args, stdout }: { args: readonly string[]; stdout: string }): void {
  if (stdout === '' || FOREIGN.includes(args[0] ?? '')) return;
  // The schema of the configuration file is no document of ours but one about them.
  const isSchema = args[0] === 'config' && args[1] === 'schema';
  if (args.includes('--events')) expectEvents(stdout.trimEnd().split('\n'));
  else if (args.includes('--json') && !isSchema) expectDocument(JSON.parse(stdout));
}

function expectDocument(document: { readonly schema?: string }): void {
  const found = DOCUMENTS[document.schema ?? ''];
  expect(found, `a schema for ${document.schema}`).toBeDefined();
  expect(found?.safeParse(document).error?.issues ?? [], document.schema).toEqual([]);
}

function expectEvents(lines: readonly string[]): void {
  const events = lines.map(
    (line) => JSON.parse(line) as { event: string; schema: string; document?: { schema: string } },
  );
  for (const event of events) {
    expectDocument(event);
    if (event.document !== undefined) expectDocument(event.document);
  }
  expect(events[0]?.event).toBe('launch');
  expect(events.at(-1)?.event).toBe('done');
}
