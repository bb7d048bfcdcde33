import { getText, putText } from '../artifacts/values.js';
import { partsOf } from '../core/ablation.js';
import { idOfLabel } from '../core/labels.js';
import { type OptimizerCall, type OptimizerTool, parseToolCall } from '../methods/testgrad/optimizer-tools.js';
import { grepTree } from '../repository/grep-tree.js';
import { listTree } from '../repository/tree-files.js';
import { suiteText } from './base-files.js';
import type { ReadRepositoryInput, ReadRepositoryResult } from './contract.js';
import { callOf } from './conversation.js';
import { type Conversation, getDocument } from './documents.js';
import { openRepository } from './open-repository.js';
import type { Services } from './services.js';
import { showInSuite } from './suite-view.js';
import { type LoadedSubject, loadSubject } from './turn-subject.js';

const RESULT_CHARS = 40_000;
const LINES_AT_MOST = 800;
const MATCHES_AT_MOST = 80;
const FILES_AT_MOST = 300;

const READING: readonly OptimizerTool[] = ['list_files', 'read_file', 'search', 'show_test', 'show_candidate'];

/**
 * One reading tool call of the optimizer, on the base tree with the suite's files over it. A call that makes no sense
 * is answered with the reason. Nothing later than the base commit is there to be read.
 */
export async function readRepository({
  services,
  input,
}: {
  services: Services;
  input: ReadRepositoryInput;
}): Promise<ReadRepositoryResult> {
  const { store } = services;
  const conversation = await getDocument<Conversation>({ store, ref: input.conversation });
  const call = callOf({ conversation, callId: input.callId });
  const { settings } = input;
  const allowed = READING.filter((tool) =>
    tool === 'show_candidate' ? settings.extensions.showCandidates : partsOf(settings).read,
  );
  const parsed = parseToolCall({ name: call.name, argumentsText: call.argumentsText, allowed });
  const subject = await loadSubject({ services, input });
  const text = parsed.kind === 'invalid' ? parsed.reason : await answer({ services, subject, call: parsed });
  const clipped =
    text.length > RESULT_CHARS ? `${text.slice(0, RESULT_CHARS)}\n[cut at ${RESULT_CHARS} characters]` : text;
  return {
    result: await putText({ store, text: clipped }),
    summary: `${call.name} ${call.argumentsText}`.replace(/\s+/g, ' ').slice(0, 100),
  };
}

async function answer({
  services,
  subject,
  call,
}: {
  services: Services;
  subject: LoadedSubject;
  call: OptimizerCall;
}): Promise<string> {
  switch (call.name) {
    case 'list_files':
      return listFiles({ services, subject, folder: call.arguments.path ?? '' });
    case 'read_file':
      return readFile({ services, subject, ...call.arguments });
    case 'search':
      return search({ services, subject, pattern: call.arguments.pattern, path: call.arguments.path ?? '' });
    case 'show_test':
      return show({ services, subject, file: call.arguments.file, test: call.arguments.test });
    case 'show_candidate':
      return showCandidate({ services, subject, label: call.arguments.label });
    default:
      return 'This tool reads nothing.';
  }
}

interface Reading {
  readonly services: Services;
  readonly subject: LoadedSubject;
}

async function listFiles({ services, subject, folder }: Reading & { folder: string }): Promise<string> {
  const { instance, suite } = subject;
  const scratch = await openRepository({ services, instance });
  const prefix = folder.replace(/^\.?\/+|\/+$/g, '');
  const inBase = (await listTree({ scratch, treeId: instance.repository.treeId })).map(({ path }) => path);
  const paths = [...new Set([...inBase, ...Object.keys(suite.files)])].sort();
  const below = paths.filter(
    (path) => prefix === '' || prefix === '.' || path === prefix || path.startsWith(`${prefix}/`),
  );
  if (below.length === 0) return `There is no folder ${folder}.`;
  const more = below.length > FILES_AT_MOST ? [`… ${below.length - FILES_AT_MOST} more: name a folder`] : [];
  return [...below.slice(0, FILES_AT_MOST), ...more].join('\n');
}

async function readFile({
  services,
  subject,
  path,
  start = 1,
  end,
}: Reading & { path: string; start?: number | undefined; end?: number | undefined }): Promise<string> {
  const file = path.replace(/^(\.?\/)+/, '');
  const text = file.split('/').includes('..') ? null : await suiteText({ services, ...subject, path: file });
  if (text === null) return `There is no file ${path}.`;
  const lines = text.split('\n');
  const last = Math.min(end ?? lines.length, lines.length, start + LINES_AT_MOST - 1);
  const shown = lines.slice(start - 1, last).map((line, index) => `${start + index}\t${line}`);
  const more = last < lines.length ? [`[${lines.length} lines in all; read on from ${last + 1}]`] : [];
  return [...shown, ...more].join('\n');
}

async function search({
  services,
  subject,
  pattern,
  path,
}: Reading & { pattern: string; path: string }): Promise<string> {
  const { instance } = subject;
  const scratch = await openRepository({ services, instance });
  const paths = path === '' || path === '.' ? [] : [path.replace(/^(\.?\/)+/, '')];
  const found = await grepTree({
    scratch,
    treeId: instance.repository.treeId,
    pattern,
    paths,
    maxMatches: MATCHES_AT_MOST,
  });
  if (found.kind === 'refused') return `The pattern cannot be used: ${found.reason}`;
  const lines = found.matches.map((match) => `${match.path}:${match.line}:${match.text}`);
  if (lines.length === 0) return 'No match.';
  return [...lines, ...(found.end === 'complete' ? [] : [`[there may be more: cut at the ${found.end}]`])].join('\n');
}

async function show({ services, subject, file, test }: Reading & { file: string; test: string }): Promise<string> {
  const text = await suiteText({ services, ...subject, path: file });
  if (text === null) return `There is no file ${file}.`;
  const shown = await showInSuite({ services, ...subject, file, text, name: test });
  return shown ?? `${file} defines no ${test}. show_test takes a qualified name such as Class::test.`;
}

async function showCandidate({ services, subject, label }: Reading & { label: string }): Promise<string> {
  const id = idOfLabel({ labels: subject.labels, label });
  const candidate = subject.candidates.find((each) => each.id === id);
  if (candidate === undefined)
    return `There is no candidate ${label}. There are ${Object.values(subject.labels).sort().join(', ')}.`;
  return getText({ store: services.store, ref: candidate.sourcePatch });
}
