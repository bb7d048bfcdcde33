/** What a stand-in is made of: a release on Python's package index, or a commit of a git repository on this machine. */
export interface StandIn {
  readonly instance: string;
  readonly release?: string;
  readonly repository?: string;
  readonly commit?: string;
  readonly require: readonly string[];
  /** What is imported once when the image is made. */
  readonly module?: string;
  /** Prefix of another interpreter than Debian's. */
  readonly python?: string;
}
export const RELEASES: Readonly<Record<'flask' | 'django' | 'sympy', StandIn>>;
export const NAMESPACE: string;
export function buildStandIn(
  input: StandIn,
): Promise<{ readonly instance_id: string; readonly image: string; readonly base_commit: string }>;
