import type { DatasetProblem } from '../datasets/dataset.js';
import type { SourceLayout } from './prediction.js';

/** All that was found about the inputs of a benchmark before anything runs. Lists are complete. */
export interface InputReport {
  readonly schema: 'testgrad.input-report/1';
  readonly dataset: {
    readonly name: string;
    readonly split: string;
    readonly revision: string | null;
    /** Instances of the dataset. */
    readonly instances: number;
    readonly gradable: number;
    readonly problems: readonly DatasetProblem[];
  };
  readonly sources: readonly SourceReport[];
  readonly instances: {
    /** Instances that were chosen to run. */
    readonly chosen: number;
    /** With a patch of every agent. */
    readonly complete: number;
    /** With a patch of some agents. */
    readonly partial: number;
    /** Without any patch: nothing can be selected. */
    readonly none: readonly string[];
    /** With two patches or more that are the same bytes: nothing to choose between. */
    readonly identical: number;
  };
  /** True when nothing is missing, empty, double, unknown, unreadable or no plain diff. */
  readonly clean: boolean;
}

/** What was found in one source of predictions. */
export interface SourceReport {
  readonly name: string;
  /** As it was given. */
  readonly given: string;
  readonly layout: SourceLayout | null;
  /** One agent; several where each row holds several candidates. */
  readonly agents: readonly AgentReport[];
  readonly malformed: readonly { readonly place: string; readonly problem: string }[];
  readonly otherFields: readonly { readonly place: string; readonly fields: readonly string[] }[];
  /** Ids that the dataset does not have, with the one that may be meant. */
  readonly unknown: readonly { readonly instanceId: string; readonly closest: string | null }[];
  /** Predictions of instances that the dataset has and that were not chosen to run. */
  readonly notChosen: number;
}

/** What was found about the predictions of one agent; ids in the order of the dataset. */
export interface AgentReport {
  readonly agent: string;
  /** Chosen instances with a patch that is not empty. */
  readonly patches: number;
  readonly missing: readonly string[];
  readonly empty: readonly string[];
  /** Ids that occurred more than once; the last one counts, as in the SWE-bench harness. */
  readonly duplicates: readonly {
    readonly instanceId: string;
    readonly places: readonly string[];
    /** True when all of them are the same bytes. */
    readonly same: boolean;
  }[];
  /** A diff in a Markdown fence. */
  readonly fenced: readonly string[];
  /** A diff with other text around it. */
  readonly prose: readonly string[];
  /** Text without a diff. */
  readonly noDiff: readonly string[];
}
