import type { ArtifactRef } from './artifact.js';
import type { CandidateInput } from './candidate.js';

/** What runs a test file: pytest, unittest, or a project's own runner as Django and sympy have it. */
export type TestRunner = 'pytest' | 'unittest' | 'django' | 'sympy';

/** How the tests of an instance are started. */
export interface TestEnvironment {
  /** Absolute path of the interpreter on the worker's host, with `docker` in the image. */
  readonly python: string;
  /** `3.11.7`; part of every outcome's key and of the optimizer's prompt. */
  readonly pythonVersion: string;
  /** Digest over interpreter path, version and installed distributions. */
  readonly digest: string;
  /**
   * Test command as an argument vector, the interpreter first: `["python", "-m", "pytest", "-q"]`. With `django` and
   * `sympy` the second word is the project's own script, `tests/runtests.py`.
   */
  readonly testCommand: readonly string[];
  readonly runner: TestRunner;
  /** Variables that the test command sets; default none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Runner and its version as reported by the environment, `pytest 9.2.0`. */
  readonly runnerVersion: string;
  /** Command run once in each candidate's tree before its tests, as an argument vector; empty for none. */
  readonly setupCommand: readonly string[];
  /** Directories put first on the import path, relative to the repository's root. */
  readonly pythonPath: readonly string[];
  /** `bubblewrap`: isolated; `docker`: a container from `image`; `none`: a plain subprocess, chosen by hand. */
  readonly sandbox: 'bubblewrap' | 'docker' | 'none';
  /** Id of the image (`sha256:…`) that has interpreter, packages and the repository at its path; with `docker` only. */
  readonly image?: string;
  readonly limits: ExecutionLimits;
}

/** Limits of one execution of one test file. */
export interface ExecutionLimits {
  /** Wall time of one test file; default 300,000. At expiry the whole process tree is killed. */
  readonly timeoutMs: number;
  /** Address space of each process; default 4 GiB. */
  readonly memoryBytes: number;
  /** Processes and threads at one time; default 256. */
  readonly maxProcesses: number;
}

/** One issue: repository at a base commit, issue text, candidates and environment. Stored as an artifact. */
export interface InstanceSpec {
  readonly schema: 'testgrad.instance/1';
  /** Short name for people, taken from the repository's folder and the issue. */
  readonly name: string;
  readonly repository: {
    /** Absolute path at which the tree appears to the tests (an editable install points there). */
    readonly path: string;
    readonly baseCommit: string;
    /** Git tree of the base commit. */
    readonly treeId: string;
    /** Git bundle with one commit without parents that holds this tree. */
    readonly bundle: ArtifactRef;
  };
  readonly issue: string;
  readonly candidates: readonly CandidateInput[];
  readonly environment: TestEnvironment;
  /** Test files named by the user; empty lets the ranking choose. */
  readonly testFiles: readonly string[];
}
