import { putText } from '../../artifacts/values.js';
import type { ArtifactRef } from '../../core/artifact.js';
import { BASE } from '../../core/candidate.js';
import { readSelectorCall, type SelectorCall } from '../../methods/trae/tools.js';
import { callOf } from '../conversation.js';
import { type Conversation, getDocument, getInstance, putDocument } from '../documents.js';
import type { MethodActivities, SelectorCallInput } from '../method-contract.js';
import type { Services } from '../services.js';
import { changedFiles } from './changed-files.js';
import { editText } from './edit-text.js';
import { type InTree, runInTree } from './in-tree.js';

/** Wall time of one command, as published. */
const COMMAND_MS = 120_000;

const OUTPUT_BYTES = 32 * 1024;

/** Files over the base that the calls of one run of the selector have written. Stored as an artifact. */
interface SelectorWorkspace {
  readonly schema: 'testgrad.selector-workspace/1';
  readonly files: Readonly<Record<string, ArtifactRef>>;
}

/**
 * One tool call of TRAE's selector. A command runs in a sandbox of its own on the base with what earlier calls wrote;
 * files are viewed and edited as texts. A call that makes no sense is answered with the reason.
 */
export async function selectorCall({
  services,
  input,
}: {
  services: Services;
  input: SelectorCallInput;
}): ReturnType<MethodActivities['selectorCall']> {
  const { store } = services;
  const conversation = await getDocument<Conversation>({ store, ref: input.conversation });
  const call = readSelectorCall(callOf({ conversation, callId: input.callId }));
  const earlier =
    input.workspace === null ? null : await getDocument<SelectorWorkspace>({ store, ref: input.workspace });
  const before = earlier?.files ?? {};
  const { text, written } = await run({ services, input, call, files: before });
  const result = await putText({ store, text });
  if (Object.keys(written).length === 0) return { result, workspace: input.workspace };
  const after: SelectorWorkspace = { schema: 'testgrad.selector-workspace/1', files: { ...before, ...written } };
  return { result, workspace: await putDocument({ store, value: after }) };
}

interface Done {
  readonly text: string;
  readonly written: SelectorWorkspace['files'];
}

async function run({
  services,
  input,
  call,
  files,
}: {
  services: Services;
  input: SelectorCallInput;
  call: SelectorCall | { readonly kind: 'invalid'; readonly reason: string };
  files: SelectorWorkspace['files'];
}): Promise<Done> {
  if (call.kind === 'invalid') return { text: call.reason, written: {} };
  if (call.name === 'bash') return command({ services, input, files, line: call.arguments.command });
  const instance = await getInstance({ store: services.store, ref: input.instance });
  const edited = await editText({ services, instance, files, edit: call.arguments });
  if (edited.written === null) return { text: edited.text, written: {} };
  const ref = await putText({ store: services.store, text: edited.written.text });
  return { text: edited.text, written: { [edited.written.path]: ref } };
}

async function command({
  services,
  input,
  files,
  line,
}: {
  services: Services;
  input: SelectorCallInput;
  files: SelectorWorkspace['files'];
  line: string;
}): Promise<Done> {
  const { repository } = await getInstance({ store: services.store, ref: input.instance });
  const done = await runInTree({
    services,
    input,
    column: { id: BASE, treeId: repository.treeId, name: BASE },
    files,
    argv: () => ['/bin/bash', '-c', line],
    timeoutMs: COMMAND_MS,
    maxOutputBytes: OUTPUT_BYTES,
    look: async (ran) => ({ text: outputOf(ran), written: await keep({ services, ran }) }),
  });
  return done ?? { text: 'The repository could not be set up.', written: {} };
}

async function keep({ services, ran }: { services: Services; ran: InTree }): Promise<SelectorWorkspace['files']> {
  const changed = await changedFiles({ treeDir: ran.treeDir, sinceMs: ran.startedAtMs });
  const mediaType = 'application/octet-stream';
  const kept = await Promise.all(
    [...changed].map(async ([path, bytes]) => [path, await services.store.put({ bytes, mediaType })] as const),
  );
  return Object.fromEntries(kept);
}

function outputOf({ result }: InTree): string {
  const { exit, stdout, stderr, truncated } = result;
  const ended =
    exit.kind === 'exited'
      ? exit.code === 0
        ? ''
        : `[exit code ${exit.code}]`
      : exit.kind === 'timeout'
        ? `[killed after ${COMMAND_MS / 1000} s]`
        : `[ended: ${exit.kind}]`;
  const parts = [stdout.trimEnd(), stderr.trimEnd(), truncated ? '[output cut in the middle]' : '', ended];
  return parts.filter((part) => part !== '').join('\n') || '(no output)';
}
