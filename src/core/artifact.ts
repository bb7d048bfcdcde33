/** A reference to immutable bytes in the artifact store; what travels through Temporal in place of the bytes. */
export interface ArtifactRef {
  /** Lower-case hexadecimal SHA-256 of the bytes. */
  readonly digest: string;
  /** Length in bytes. */
  readonly bytes: number;
  readonly mediaType: string;
}
