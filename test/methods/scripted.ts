import { createHash } from 'node:crypto';
import { execa } from 'execa';
import type { ArtifactRef } from '../../src/core/artifact.js';
import type { PreparedCandidate } from '../../src/core/candidate.js';
import type { ToolCall } from '../../src/core/chat.js';
import type { CandidateOutcomes, OutcomeStatus } from '../../src/core/outcome.js';
import type { Usage } from '../../src/core/usage.js';
import { normaliserProgram, type RunNormaliser } from '../../src/methods/agentless/normaliser.js';
import type { Ask, AskRequest } from '../../src/methods/method.js';

/** Documents by their digest: what the store is to a worker. */
export function shelf() {
  const held = new Map<string, unknown>();
  return {
    put(value: unknown): ArtifactRef {
      const text = JSON.stringify(value);
      const digest = createHash('sha256').update(text).digest('hex');
      held.set(digest, value);
      return { digest, bytes: text.length, mediaType: 'application/json' };
    },
    get<Value>(ref: ArtifactRef): Value {
      if (!held.has(ref.digest)) throw new Error(`nothing is held under ${ref.digest}`);
      return held.get(ref.digest) as Value;
    },
  };
}

/** What one call costs here. */
export const CALL: Usage = {
  calls: 1,
  inputTokens: 100,
  cachedTokens: 0,
  outputTokens: 10,
  usd: 0.01,
  possibleDuplicates: 0,
  drifted: 0,
};

export type Said = string | { readonly content?: string; readonly calls: readonly Omit<ToolCall, 'id'>[] };

/** A model that gives these answers in their order, and keeps what it was asked. More questions than answers throw. */
export function scriptedModel(answers: readonly Said[]) {
  const asked: AskRequest[] = [];
  const ask: Ask = async (request) => {
    const said = answers[asked.length];
    asked.push(request);
    if (said === undefined) throw new Error(`the script has no answer ${asked.length}`);
    if (typeof said === 'string') return { content: said, toolCalls: [], usage: CALL };
    const toolCalls = said.calls.map((call, at) => ({ ...call, id: `call-${asked.length}-${at}` }));
    return { content: said.content ?? '', toolCalls, usage: CALL };
  };
  return { ask, asked };
}

/** A usable candidate, the first with its tree unless said otherwise. */
export const usable = (index: number, sameAs = index): PreparedCandidate => ({
  kind: 'usable',
  id: `c${index + 1}`,
  agent: `agent-${index + 1}`,
  label: String.fromCharCode(65 + index),
  treeId: `tree-${sameAs}`,
  sameAs: `c${sameAs + 1}`,
  sourcePatch: { digest: '0'.repeat(64), bytes: 1, mediaType: 'text/x-diff' },
  changedFiles: ['src/a.py'],
  setAside: [],
  added: 1,
  removed: 1,
});

export const excluded = (index: number, reason: 'empty' | 'does-not-apply' = 'empty'): PreparedCandidate => ({
  kind: 'excluded',
  id: `c${index + 1}`,
  agent: `agent-${index + 1}`,
  reason,
  detail: '',
});

/** A run of one file with these statuses by test name. */
export const ran = (statuses: Readonly<Record<string, OutcomeStatus>>): CandidateOutcomes => ({
  schema: 'testgrad.outcomes/1',
  candidate: 'c1',
  files: [
    {
      file: 'tests/t.py',
      state: 'ran',
      reason: '',
      outcomes: Object.entries(statuses).map(([name, status]) => ({
        testId: `tests/t.py::${name}`,
        status,
        phase: 'call',
        message: '',
        durationMs: 1,
      })),
      imports: {},
      durationMs: 1,
    },
  ],
});

interface Sources {
  readonly files: readonly unknown[];
  readonly scripts: readonly unknown[];
}

let waiting: { given: Sources; answer: (output: string | null) => void }[] = [];

/** The normaliser on this machine's Python. Calls of one moment share a process, as each takes a while to start. */
export const withPython: RunNormaliser = (input) =>
  new Promise((answer) => {
    waiting.push({ given: JSON.parse(input) as Sources, answer });
    if (waiting.length === 1) setImmediate(() => void runWaiting());
  });

async function runWaiting(): Promise<void> {
  const calls = waiting;
  waiting = [];
  const all: Sources = {
    files: calls.flatMap(({ given }) => given.files),
    scripts: calls.flatMap(({ given }) => given.scripts),
  };
  const program = ['-I', normaliserProgram()];
  const { exitCode, stdout } = await execa('python3', program, { input: JSON.stringify(all), reject: false });
  if (exitCode !== 0) {
    for (const { answer } of calls) answer(null);
    return;
  }
  const done = JSON.parse(stdout) as Sources;
  let [file, script] = [0, 0];
  for (const { given, answer } of calls) {
    const files = done.files.slice(file, file + given.files.length);
    const scripts = done.scripts.slice(script, script + given.scripts.length);
    answer(JSON.stringify({ files, scripts }));
    [file, script] = [file + files.length, script + scripts.length];
  }
}

/** A machine without Python. */
export const withoutPython: RunNormaliser = async () => null;
