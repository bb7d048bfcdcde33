import type { Progress } from '../core/progress.js';
import { type ErrorCode, exitCodeOf, TestgradError, titleOf } from '../errors.js';
import { safeJson } from '../report/safe-text.js';
import type { Invocation } from './invocation.js';

/** What is told of a run that was accepted. */
export interface LaunchFacts {
  readonly kind: string;
  readonly run: string;
  readonly workflow: string;
  /** Address in Temporal's pages. */
  readonly ui: string | null;
  /** True when it was there before this command. */
  readonly attached: boolean;
}

/** The stream of `--events`, as a run tells it. */
export interface EventStream {
  launch(facts: LaunchFacts): void;
  progress(progress: Progress): void;
  /** What a run is waiting out; null when nothing. */
  trouble(text: string | null): void;
}

/** One line of the stream. */
type Emit = (event: string, fields: object) => void;

/**
 * Runs a verb with `--events`: standard output holds NDJSON only. The first record is `launch`, once a run was
 * accepted; the last is `done` with the exit code, also after a failure. Without a `launch` nothing was started, and
 * without a `done` the command itself broke. What the verb would print as its JSON document becomes `outcome`.
 */
export async function withEvents({
  invocation,
  work,
}: {
  invocation: Invocation;
  work: (invocation: Invocation) => Promise<number>;
}): Promise<number> {
  const { values, terminal } = invocation;
  if (!values.on('events')) return work(invocation);
  const emit: Emit = (event, fields) => {
    const at = new Date().toISOString();
    terminal.out(safeJson({ schema: 'testgrad.event/1', event, at, ...fields }, 0));
  };
  const { stream, outcome, launched } = streamTo({ emit, content: values.on('content') });
  const told: Invocation = {
    ...invocation,
    events: stream,
    // The document is made as for --json, and told as an event.
    values: { ...values, on: (name) => name === 'json' || values.on(name) },
    terminal: { ...terminal, out: terminal.note, json: outcome },
  };
  try {
    const exitCode = await work(told);
    emit('done', { exitCode });
    return exitCode;
  } catch (error) {
    if (launched()) {
      emit('error', errorFields({ error, content: values.on('content') }));
      emit('done', { exitCode: exitCodeOf(error) });
    }
    throw error;
  }
}

function streamTo({ emit, content }: { emit: Emit; content: boolean }): {
  readonly stream: EventStream;
  readonly outcome: (document: unknown) => void;
  readonly launched: () => boolean;
} {
  let isLaunched = false;
  let latest: Progress | null = null;
  let trouble: string | null = null;
  const launch = (facts: LaunchFacts): void => {
    if (isLaunched) return;
    isLaunched = true;
    emit('launch', facts);
  };
  return {
    launched: () => isLaunched,
    outcome: (document) => {
      launch(launchOf(document));
      emit('outcome', { document });
    },
    stream: {
      launch,
      progress: (progress) => {
        for (const { event, fields } of changes({ before: latest, after: progress })) emit(event, fields);
        latest = progress;
      },
      trouble: (text) => {
        if (text !== null && text !== trouble) emit('trouble', { code: codeIn(text), text: content ? text : null });
        trouble = text;
      },
    },
  };
}

/** The launch of a run that was answered from the store, from its document. */
function launchOf(document: unknown): LaunchFacts {
  const { schema, run } = document as { schema: string; run: { id: string; workflow: string; ui: string | null } };
  const kind = /^testgrad\.([a-z]+)/.exec(schema)?.[1] ?? '';
  return { kind, run: run.id, workflow: run.workflow, ui: run.ui, attached: true };
}

/** What is new since the last progress, each as an event of its own. */
function changes({
  before,
  after,
}: {
  before: Progress | null;
  after: Progress;
}): { readonly event: string; readonly fields: object }[] {
  const { phase, step, steps, turn, paused, tokens, usd, possibleDuplicates } = after;
  const { rows, differential, evidence, flaky, leaders, failedUpdates, executedFiles, reusedFiles } = after;
  const parts = [
    { event: 'step', fields: { step, steps, failedUpdates } },
    { event: 'phase', fields: { phase, step, turn, paused } },
    { event: 'matrix', fields: { rows, differential, evidence, flaky, leaders, executedFiles, reusedFiles } },
    { event: 'usage', fields: { tokens, usd, possibleDuplicates } },
  ];
  return parts.filter(({ fields }) =>
    Object.entries(fields).some(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before?.[name as keyof Progress] ?? null),
    ),
  );
}

const codeIn = (text: string): string | null => /\bTG-[A-Z]\d\d\b/.exec(text)?.[0] ?? null;

function errorFields({ error, content }: { error: unknown; content: boolean }): object {
  const code: ErrorCode = error instanceof TestgradError ? error.code : 'TG-X01';
  const what = error instanceof TestgradError ? error.what : String(error);
  return { code, title: titleOf(code), text: content ? what : null };
}
