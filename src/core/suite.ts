import type { ArtifactRef } from './artifact.js';

/** What a test expresses, as the issue and the project's conventions see it. */
export type RowClass = 'issue' | 'regression' | 'convention' | 'stale' | 'incidental';

/** Classes that count as evidence for a choice. */
export const EVIDENCE_CLASSES: readonly RowClass[] = ['issue', 'regression', 'convention'];

/** A piece of the repository's testing knowledge that an update reuses. */
export interface ReuseEvidence {
  readonly aspect: 'api' | 'assertion' | 'fixture' | 'base-class' | 'expected-value' | 'helper';
  readonly symbol: string;
  readonly file: string;
}

/** One operation of an update, on a named test (or helper) of a Python test file. */
export type Operation =
  | {
      readonly op: 'create';
      readonly file: string;
      /** Existing or new class the test goes into; module level without it. */
      readonly className?: string | undefined;
      readonly name: string;
      /** Complete definition with decorators, not indented. */
      readonly source: string;
      /** Import statements the source needs, one per entry; merged without duplicates. */
      readonly imports?: readonly string[] | undefined;
    }
  | {
      readonly op: 'update';
      readonly file: string;
      /**
       * Qualified name, `Class::test` or `test`; with a row in brackets, `Class::test[1-2]`, for one row of its
       * parametrisation. A test's id will do.
       */
      readonly test: string;
      /** Complete new definition with decorators, not indented; of a row its new value, `pytest.param(…)` or `(1, 2)`. */
      readonly source: string;
      readonly imports?: readonly string[] | undefined;
      /** Why the old expectation is stale. */
      readonly staleBecause: string;
    }
  | {
      readonly op: 'delete';
      readonly file: string;
      readonly test: string;
      /** Sentence of the issue, or the failure on the base, that makes the test obsolete. */
      readonly obsoleteBecause: string;
    };

/** One CRUD update ∇_t: what the optimizer submits in a backward pass. */
export interface SuiteEdit {
  readonly diagnosis: string;
  readonly failedDirection: string;
  readonly reuse: readonly ReuseEvidence[];
  readonly operations: readonly Operation[];
}

/** An update that a suite holds. */
export interface AppliedUpdate extends SuiteEdit {
  /** The step that applied it, from 1; its position where that is not told (steps without an update leave gaps). */
  readonly step?: number | undefined;
}

/** How a test of the suite came to be. */
export type TestOrigin = 'original' | 'created' | 'updated';

/** A test that an update created, changed or deleted. */
export interface ChangedTest {
  readonly op: Operation['op'];
  readonly file: string;
  /** `Class::test` or `test`, without parameters. */
  readonly name: string;
  /** Post-edit definition; the removed one for a delete. */
  readonly source: string;
  /** The step whose update did it, from 1. */
  readonly step: number;
  readonly reason: string;
}

/** y_t: the repository's tests plus the edits made so far. Stored as an artifact. */
export interface Suite {
  readonly schema: 'testgrad.suite/1';
  /** t: 0 is the suite as the repository has it. */
  readonly step: number;
  readonly edits: readonly AppliedUpdate[];
  /** Files that differ from the base, by path; bytes as they are executed. */
  readonly files: Readonly<Record<string, ArtifactRef>>;
  /** Last change of each test that an edit touched. */
  readonly changed: readonly ChangedTest[];
  /** Test files that take part: ranked as relevant at y_0, plus every file that an edit touched. */
  readonly testFiles: readonly string[];
}
