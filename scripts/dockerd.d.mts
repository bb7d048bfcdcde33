/** A running daemon. */
export interface Dockerd {
  /** For DOCKER_HOST. */
  readonly host: string;
  readonly pid: number;
  /** Ends it and removes nothing. */
  readonly stop: () => Promise<void>;
}
export function prepareDockerd(): string;
export function startDockerd(input: { dir: string }): Promise<Dockerd>;
export function removeDockerd(input: { dir: string }): void;
export function answers(input: { socket: string }): Promise<boolean>;
