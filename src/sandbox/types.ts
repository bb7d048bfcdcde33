/**
 * `bubblewrap`: namespaces of its own, no network, nothing of the host but what is named; `docker`: a container of its
 * own from an image; `none`: a plain subprocess.
 */
export type SandboxKind = 'bubblewrap' | 'docker' | 'none';

/** Limits of one execution. */
export interface SandboxLimits {
  /** Wall time; at expiry the whole process tree is killed. */
  readonly timeoutMs: number;
  /** Address space of each process. */
  readonly memoryBytes: number;
  /** Processes and threads of the whole tree at one time; over it the tree is killed. */
  readonly maxProcesses: number;
  /** Bytes kept of each of stdout and stderr, half from the beginning and half from the end. */
  readonly maxOutputBytes: number;
}

/** Who started a sandbox; travels as a label in the environment, so that an orphan can be told from a stranger. */
export interface SandboxOwner {
  readonly runId: string;
  /** Digest of the owner's state folder: two of them on one host may have runs of one id. Empty for none. */
  readonly home: string;
  readonly activityId: string;
  /** The machine's host name. */
  readonly host: string;
  readonly pid: number;
  /** Start of `pid` in clock ticks since boot: tells a process from a later one with the same number. */
  readonly startTime: string;
}

/** One execution. */
export interface SandboxRequest {
  readonly kind: SandboxKind;
  /** Directory on the host with the candidate's tree: writable, thrown away afterwards. */
  readonly treeDir: string;
  /** The repository's own absolute path; with bubblewrap the tree is bound over it, so that an editable install resolves to the candidate's code. */
  readonly mountAt: string;
  /** Program and arguments; no shell sees them. */
  readonly argv: readonly string[];
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Further host paths, visible read-only at the same place; may lie inside `mountAt`. */
  readonly readOnlyPaths: readonly string[];
  /** Host directory, visible read-write at the same place. */
  readonly scratchDir: string;
  readonly limits: SandboxLimits;
  readonly owner: SandboxOwner;
  readonly signal?: AbortSignal;
  /** Needed with `docker`, else without effect. */
  readonly docker?: DockerSettings;
}

/** What a container has besides the limits of every sandbox. */
export interface DockerSettings {
  /** Name or id of an image that is there; the interpreter and its packages come from it. */
  readonly image: string;
  /** Processors that it may use; default 1. */
  readonly cpus?: number;
}

/** Which part of our side failed: `memory` stands for a container that was killed at its memory limit. */
export type InfraCause = 'daemon' | 'memory' | 'disk' | 'image' | 'registry';

/** How an execution ended. */
export type SandboxExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: string }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }
  /**
   * Killed because the tree had more processes and threads, or used more memory, than allowed. A sandbox says `memory`
   * only where it can tell that the program was the reason; see `broken`.
   */
  | { readonly kind: 'overlimit'; readonly limit: 'processes' | 'memory' }
  /** Our side: the sandbox or the program could not start, or could not be stopped. */
  | {
      readonly kind: 'broken';
      readonly reason: string;
      readonly infra?: InfraCause;
      /** True when the Docker daemon could not be reached: it comes back. */
      readonly away?: true;
    };

/** What is left of an execution: nothing of it runs any more. */
export interface SandboxResult {
  readonly exit: SandboxExit;
  /** Decoded as UTF-8, undecodable bytes replaced, nothing stripped. */
  readonly stdout: string;
  readonly stderr: string;
  /** True when one of the outputs was longer than kept. */
  readonly truncated: boolean;
  readonly durationMs: number;
}
