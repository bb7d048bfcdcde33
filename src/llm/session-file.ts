import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { InputError, ModelError } from '../errors.js';
import type { CallPosition } from './chat.js';

const LOCK_RETRY_MS = 10;
/** The lock is held for one read and one write; one this old belongs to a process that died. */
const STALE_LOCK_MS = 10_000;

const count = z.number().int().nonnegative();

const entrySchema = z.object({
  position: z.object({
    role: z.enum(['optimizer', 'judge', 'checker', 'selector']),
    step: count,
    turn: count,
    instance: z.string().optional(),
  }),
  /** SHA-256 of the canonical request, in hexadecimal. */
  requestDigest: z.string(),
  model: z.string(),
  answer: z.object({
    content: z.string(),
    toolCalls: z.array(z.object({ id: z.string(), name: z.string(), argumentsText: z.string() })),
    finishReason: z.enum(['stop', 'tools', 'length', 'filter', 'other']),
    usage: z.object({ inputTokens: count, cachedTokens: count, outputTokens: count }),
  }),
});

const sessionSchema = z.object({
  schema: z.literal('testgrad.session/1'),
  /** The first model that was asked. */
  model: z.string(),
  entries: z.array(entrySchema),
});

/** One recorded answer with the digest of its request; the request itself is not kept. */
export type SessionEntry = z.infer<typeof entrySchema>;

/** A recorded session: the answers of a model by their positions. */
export type Session = z.infer<typeof sessionSchema>;

/** Identity of a position inside a session. */
export const positionKey = ({ role, step, turn, instance = '' }: CallPosition): string =>
  JSON.stringify([instance, step, role, turn]);

/**
 * Reads a recorded session. Throws InputError TG-I03 when the file cannot be read, and ModelError TG-M08 when it is
 * not a recorded session.
 */
export async function readSession({ file }: { file: string }): Promise<Session> {
  const session = await readIfThere(file);
  if (session) return session;
  throw new InputError({
    code: 'TG-I03',
    what: `There is no recorded session at ${file}.`,
    meaning: 'TESTGRAD_REPLAY names a file that was recorded with TESTGRAD_RECORD.',
    fix: 'Correct the path, or unset TESTGRAD_REPLAY to ask a model.',
  });
}

/** Adds an answer, replacing the one at the same position. Safe against other processes that add to the same file. */
export async function addToSession({ file, entry }: { file: string; entry: SessionEntry }): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const release = await lock(`${file}.lock`);
  try {
    const before = await readIfThere(file);
    const key = positionKey(entry.position);
    const entries = (before?.entries ?? []).filter((other) => positionKey(other.position) !== key).concat(entry);
    entries.sort((a, b) => comparePositions(a.position, b.position));
    const session: Session = { schema: 'testgrad.session/1', model: before?.model ?? entry.model, entries };
    await writeWhole({ file, text: `${JSON.stringify(session, null, 1)}\n` });
  } finally {
    await release();
  }
}

/** The recorded answer at a position, or undefined. Null-safe for a file that does not exist yet. */
export async function findInSession({
  file,
  position,
}: {
  file: string;
  position: CallPosition;
}): Promise<SessionEntry | undefined> {
  const key = positionKey(position);
  return (await readIfThere(file))?.entries.find((entry) => positionKey(entry.position) === key);
}

async function readIfThere(file: string): Promise<Session | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new InputError({
      code: 'TG-I03',
      what: `The recorded session ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
      meaning: 'No model was asked.',
      fix: 'Name a readable file.',
    });
  }
  const parsed = sessionSchema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new ModelError({
    code: 'TG-M08',
    what: `${file} is not a recorded session.`,
    meaning: `It does not follow testgrad.session/1 (${z.prettifyError(parsed.error).split('\n')[0]}).`,
    fix: 'Name a file that was written with TESTGRAD_RECORD, or move this one away to record anew.',
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function comparePositions(a: CallPosition, b: CallPosition): number {
  const roles = ['optimizer', 'judge', 'checker', 'selector'];
  const [left, right] = [a.instance ?? '', b.instance ?? ''];
  if (left !== right) return left < right ? -1 : 1;
  return a.step - b.step || roles.indexOf(a.role) - roles.indexOf(b.role) || a.turn - b.turn;
}

async function writeWhole({ file, text }: { file: string; text: string }): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomUUID().slice(0, 8)}.tmp`;
  const handle = await open(temporary, 'wx');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, file);
}

/** Takes a lock file, waiting for whoever holds it; the result gives it back. */
async function lock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await (await open(path, 'wx')).close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const held = await stat(path).catch(() => null);
    if (held && Date.now() - held.mtimeMs > STALE_LOCK_MS) await rm(path, { force: true });
    await sleep(LOCK_RETRY_MS);
  }
}
