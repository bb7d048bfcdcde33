import { answerOf, type Docker, freeBytesOf } from './docker-daemon.js';
import type { SandboxExit, SandboxLimits } from './types.js';

/** With less than this where the daemon writes, a failing program may have failed for want of it. */
const SCARCE_BYTES = 64 * 1024 ** 2;

/** A container in which something was killed at the memory limit: the program itself or one that it had started. */
export const outOfMemory = ({ memoryBytes }: SandboxLimits): SandboxExit => ({
  kind: 'broken',
  reason: `Something in the container was killed because together it used more than ${memoryBytes} bytes of memory.`,
  infra: 'memory',
});

/** Why a program's failure says nothing about the program: the daemon's disk is full. Null when it is not. */
export async function diskTrouble({ docker, code }: { docker: Docker; code: number }): Promise<SandboxExit | null> {
  if (code === 0) return null;
  const free = await freeBytesOf({ docker });
  if (free === null || free >= SCARCE_BYTES) return null;
  const reason = `The program failed, and only ${free} bytes are free where Docker keeps its containers.`;
  return { kind: 'broken', reason, infra: 'disk' };
}

/** Exit codes of a program that SIGKILL or SIGTERM has ended. */
const KILLED = [137, 143];

/**
 * Why a killed program's end says nothing about the program: Docker has sent the signal for somebody, as it does to all
 * containers when it shuts down. Null when the program or something in its container did it.
 */
export async function outsideKill({
  docker,
  id,
  state,
}: {
  docker: Docker;
  id: string;
  state: { readonly ExitCode: number; readonly StartedAt: string; readonly FinishedAt: string };
}): Promise<SandboxExit | null> {
  if (!KILLED.includes(state.ExitCode)) return null;
  // The daemon's own clock; what it did to the container it did before the end.
  const since = Math.floor(Date.parse(state.StartedAt) / 1_000);
  const until = Date.parse(state.FinishedAt) / 1_000 + 0.2;
  const filters = { container: [id], event: ['kill'] };
  const events = await answerOf(docker.getEvents({ since, until, filters }));
  let said = '';
  for await (const chunk of events) said += String(chunk);
  if (said === '') return null;
  return { kind: 'broken', reason: 'The container was killed from outside.', infra: 'daemon' };
}
