import type { ArtifactRef } from '../core/artifact.js';
import type { PreparedCandidate } from '../core/candidate.js';
import type { ColumnSpec } from '../core/loop-state.js';
import type { Usage } from '../core/usage.js';
import type { RunContext } from './contract.js';

/** What every activity of a method that TestGRAD is compared with needs to know. */
export interface MethodSubject extends RunContext {
  readonly prepared: ArtifactRef;
}

/** One call of a model, or one turn of a conversation. */
export interface MethodAnswer {
  /** A Conversation. */
  readonly conversation: ArtifactRef;
  readonly usage: Usage;
}

export interface AskEnsembleInput extends MethodSubject {
  /** Candidate ids in the order in which their patches are shown. */
  readonly order: readonly string[];
}

export interface RegressionTestsInput extends MethodSubject {
  /** Outcomes of the base, or of a candidate to count what it passes. */
  readonly outcomes: ArtifactRef;
}

/** A list of test ids, as a document. */
export interface TestList {
  readonly tests: ArtifactRef;
  readonly count: number;
}

export interface PruneTestsInput extends MethodSubject {
  readonly tests: ArtifactRef;
}

export interface CountRegressionsInput extends MethodSubject {
  readonly outcomes: ArtifactRef;
  readonly tests: ArtifactRef;
}

export interface WriteReproductionInput extends MethodSubject {
  /** From 0. */
  readonly sample: number;
  readonly temperature: number;
}

export interface RunReproductionInput extends MethodSubject {
  readonly column: ColumnSpec;
  readonly script: ArtifactRef;
}

export interface CandidateKeyInput extends MethodSubject {
  readonly candidate: string;
  /** `ast`: Agentless's key; `cleaned`: TRAE's. */
  readonly kind: 'ast' | 'cleaned';
}

export interface ScriptKeysInput extends MethodSubject {
  readonly scripts: readonly ArtifactRef[];
}

export interface SelectorTurnInput extends MethodSubject {
  /** Candidate ids as Patch-1, Patch-2, … */
  readonly shown: readonly string[];
  /** From 1. */
  readonly run: number;
  /** From 1. */
  readonly turn: number;
  readonly conversation: ArtifactRef | null;
  readonly results: readonly { readonly callId: string; readonly result: ArtifactRef }[];
}

/** How a turn of TRAE's selector ended; see its method. */
export type SelectorEnd =
  | { readonly kind: 'choice'; readonly number: number | null }
  | { readonly kind: 'calls'; readonly calls: readonly { readonly callId: string; readonly tool: string }[] }
  | { readonly kind: 'unfinished' }
  | { readonly kind: 'nothing' };

export interface SelectorCallInput extends MethodSubject {
  readonly conversation: ArtifactRef;
  readonly callId: string;
  /** What earlier calls of the run have changed; null for nothing. */
  readonly workspace: ArtifactRef | null;
}

/** The answer of a method on an instance, as it is kept. */
export interface MethodRecord {
  readonly schema: 'testgrad.method/1';
  readonly runId: string;
  /** Name of the instance. */
  readonly instance: string;
  readonly method: string;
  /** Agent name of the selected candidate; null when none was selected. */
  readonly selected: string | null;
  readonly selectedId: string | null;
  readonly reason: string;
  /** What was found out, by candidate id. */
  readonly evidence: readonly { readonly candidate: string; readonly fact: string }[];
  /** Why the method's own answer could not be used and a rule chose; null when it was. */
  readonly fallback: string | null;
  readonly candidates: readonly PreparedCandidate[];
  readonly usage: Usage;
  readonly conversations: readonly ArtifactRef[];
  readonly warnings: readonly string[];
}

export interface FinishMethodInput extends RunContext {
  readonly record: MethodRecord;
}

/** The activities of the methods that TestGRAD is compared with. */
export interface MethodActivities {
  /** Augment's one call: the number in the answer, from 1, or null. */
  askEnsemble(input: AskEnsembleInput): Promise<MethodAnswer & { readonly number: number | null }>;
  /** Tests that pass on a column. */
  regressionTests(input: RegressionTestsInput): Promise<TestList>;
  /** One call that takes away the tests which a fix may rightly break. */
  pruneTests(input: PruneTestsInput): Promise<MethodAnswer & TestList>;
  /** Regression tests that a candidate fails, some of them named. */
  countRegressions(
    input: CountRegressionsInput,
  ): Promise<{ readonly failed: number; readonly named: readonly string[] }>;
  /** One call for a reproduction test. */
  writeReproduction(input: WriteReproductionInput): Promise<MethodAnswer & { readonly script: ArtifactRef | null }>;
  /** Runs a reproduction test on a column. */
  runReproduction(input: RunReproductionInput): Promise<'reproduced' | 'resolved' | 'other' | 'unclear'>;
  /** A candidate's key; empty for a change that means nothing. */
  candidateKey(input: CandidateKeyInput): Promise<{ readonly key: string; readonly normaliser: 'ast' | 'text' }>;
  /** Keys of scripts, in their order. */
  scriptKeys(input: ScriptKeysInput): Promise<readonly string[]>;
  /** One turn of TRAE's selector. */
  selectorTurn(input: SelectorTurnInput): Promise<MethodAnswer & { readonly end: SelectorEnd }>;
  /** One tool call of TRAE's selector. */
  selectorCall(
    input: SelectorCallInput,
  ): Promise<{ readonly result: ArtifactRef; readonly workspace: ArtifactRef | null }>;
  /** Binds the result record; idempotent. */
  finishMethod(input: FinishMethodInput): Promise<{ readonly record: ArtifactRef }>;
}
