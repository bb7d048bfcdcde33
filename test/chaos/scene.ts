import type { WorkflowHandle } from '@temporalio/client';
import type { RunTraces } from '../support/run-traces.js';
import type { ScriptedModel } from '../support/scripted-model.js';
import type { WorkerProcess } from '../support/worker-process.js';
import type { ChaosServer } from './chaos-server.js';

/** Who is killed. */
export type Victim = 'worker' | 'server' | 'daemon';

/** Something that many share, and that comes back as it was. */
export interface Killable {
  /** SIGKILL, a while without it, and a new one in its place. One at a time. */
  readonly kill: (wish: { readonly downMs: number }) => Promise<void>;
}

/** What a run came to, and what it left. */
export interface Outcome {
  /** What it answers, without times and repeats. */
  readonly answer: unknown;
  /** What it has written, by path, without times and repeats. */
  readonly files: Readonly<Record<string, string>>;
  /** Calls of the model, and how many of them may have been paid twice, by its own books. */
  readonly calls: number;
  readonly possibleDuplicates: number;
  readonly executions: RunTraces['executions'];
  /** What should be gone, by what it is: all of these are empty. */
  readonly left: Readonly<Record<string, readonly unknown[]>>;
}

/** A run that is about to begin, in a state folder of its own. */
export interface Stage {
  readonly home: string;
  readonly model: ScriptedModel;
  readonly server: ChaosServer;
  readonly startWorker: () => Promise<WorkerProcess>;
  readonly startRun: () => Promise<WorkflowHandle>;
  /** Of all its workflows. */
  readonly workflowIds: readonly string[];
  /** Reads what came out when the workers have ended; `result` is the workflow's. */
  readonly outcome: (result: unknown) => Promise<Outcome>;
}

/** A kind of run that is played again and again. */
export interface Scene {
  readonly name: string;
  /** Who is killed at a time, and how often compared with the others. */
  readonly victims: readonly (readonly [readonly Victim[], number])[];
  readonly mostKills: number;
  readonly workers: number;
  /** Calls of the model that one worker may have in work. */
  readonly callsAtOnce: number;
  /** Test files that one worker may have executed without keeping what they showed; none where nothing is logged. */
  readonly filesAtOnce: number;
  /** Docker's, where it is one of the victims. */
  readonly daemon?: Killable;
  /** Folders that no run may change. */
  readonly repositories: readonly string[];
  /** Makes a run in the folder `name`; `ends` gets what has to be done at its end. */
  readonly stage: (wish: { readonly name: string; readonly ends: (() => Promise<unknown>)[] }) => Promise<Stage>;
}
