import type { ArtifactRef } from '../../core/artifact.js';
import { addUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import type { SelectorTurnEnd } from './turn.js';

/** What one run of TRAE's selector needs from outside. Conversations and what calls changed are documents. */
export interface SelectorPorts {
  /**
   * One turn. `shown` are the candidates as Patch-1, Patch-2, …; `run` counts the selector's runs from 1, `turn` the
   * turns of a run from 1. `conversation` is null on the first turn; `results` are those of the last turn's calls.
   */
  selectorTurn(input: {
    readonly shown: readonly number[];
    readonly run: number;
    readonly turn: number;
    readonly conversation: ArtifactRef | null;
    readonly results: readonly CallResult[];
  }): Promise<{ readonly end: SelectorTurnEnd; readonly conversation: ArtifactRef; readonly usage: Usage }>;
  /**
   * Runs one call of the last turn, on the base with what earlier calls of the run have changed: `workspace`, null for
   * nothing. A call that makes no sense is answered with the reason.
   */
  selectorCall(input: {
    readonly conversation: ArtifactRef;
    readonly callId: string;
    readonly workspace: ArtifactRef | null;
  }): Promise<{ readonly result: ArtifactRef; readonly workspace: ArtifactRef | null }>;
  /** Tokens that the selector may still spend; asked before every turn. */
  tokensLeft(): number;
}

/** A call's result, as text in a document. */
export interface CallResult {
  readonly callId: string;
  readonly result: ArtifactRef;
}

/** How one run ended, with what it cost. `number` counts from 1 within the shown candidates. */
export type SelectorRun = {
  readonly usage: Usage;
  readonly conversation: ArtifactRef | null;
} & (
  | { readonly kind: 'choice'; readonly number: number }
  /** No usable report, or none within the turns: the first candidate counts, as published. */
  | { readonly kind: 'first'; readonly why: string }
  /** An answer without report and without call. */
  | { readonly kind: 'broken' }
  /** The tokens ran out before it came to an answer. */
  | { readonly kind: 'spent' }
);

/** One run of TRAE's selector: it looks around in the repository, one activity a turn and a call, until it reports. */
export async function runSelector({
  shown,
  run,
  maxTurns,
  ports,
}: {
  shown: readonly number[];
  run: number;
  maxTurns: number;
  ports: SelectorPorts;
}): Promise<SelectorRun> {
  let usage = NO_USAGE;
  let conversation: ArtifactRef | null = null;
  let workspace: ArtifactRef | null = null;
  let results: readonly CallResult[] = [];
  for (let turn = 1; turn <= maxTurns; turn += 1) {
    if (ports.tokensLeft() <= 0) return { kind: 'spent', usage, conversation };
    const answer: Awaited<ReturnType<SelectorPorts['selectorTurn']>> = await ports.selectorTurn({
      shown,
      run,
      turn,
      conversation,
      results,
    });
    usage = addUsage({ left: usage, right: answer.usage });
    conversation = answer.conversation;
    results = [];
    const { end } = answer;
    if (end.kind === 'nothing') return { kind: 'broken', usage, conversation };
    if (end.kind === 'choice') {
      if (end.number !== null) return { kind: 'choice', number: end.number, usage, conversation };
      return { kind: 'first', why: 'the report names no candidate', usage, conversation };
    }
    if (end.kind === 'unfinished') continue;
    const done: CallResult[] = [];
    for (const { callId } of end.calls) {
      const called: Awaited<ReturnType<SelectorPorts['selectorCall']>> = await ports.selectorCall({
        conversation: answer.conversation,
        callId,
        workspace,
      });
      workspace = called.workspace;
      done.push({ callId, result: called.result });
    }
    results = done;
  }
  return { kind: 'first', why: `there was no report in ${maxTurns} turns`, usage, conversation };
}
