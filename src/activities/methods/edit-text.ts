import type { ArtifactRef } from '../../core/artifact.js';
import type { InstanceSpec } from '../../core/instance.js';
import type { Suite } from '../../core/suite.js';
import type { SelectorCall } from '../../methods/trae/tools.js';
import { leavesRepository } from '../../repository/safe-path.js';
import { listTree } from '../../repository/tree-files.js';
import { materialisedBase, suiteText } from '../base-files.js';
import { openRepository } from '../open-repository.js';
import type { Services } from '../services.js';

const VIEW_CHARS = 40_000;
const FILES_AT_MOST = 300;

type Edit = Extract<SelectorCall, { name: 'str_replace_based_edit_tool' }>['arguments'];

/** What to tell the model, and the file that the edit wrote; null for none. */
export interface Edited {
  readonly text: string;
  readonly written: { readonly path: string; readonly text: string } | null;
}

/** One call of TRAE's edit tool, on the base's texts with those of `files` over them. */
export async function editText({
  services,
  instance,
  files,
  edit,
}: {
  services: Services;
  instance: InstanceSpec;
  files: Readonly<Record<string, ArtifactRef>>;
  edit: Edit;
}): Promise<Edited> {
  const path = relativePath({ path: edit.path, root: instance.repository.path });
  if (path === null) return told(`${edit.path} is not in the repository.`);
  const suite: Suite = { schema: 'testgrad.suite/1', step: 0, edits: [], files, changed: [], testFiles: [] };
  const base = await materialisedBase({ services, instance });
  const text = path === '' ? null : await suiteText({ services, suite, base, path });
  if (edit.command === 'create') {
    if (path === '') return told('Name a file.');
    return text === null
      ? wrote({ path, text: edit.file_text })
      : told(`${path} exists already. Use str_replace or insert.`);
  }
  if (text === null) {
    const listing = edit.command === 'view' ? await listBelow({ services, instance, files, folder: path }) : null;
    return told(listing ?? `There is no file ${edit.path}.`);
  }
  switch (edit.command) {
    case 'view':
      return told(numbered({ text, range: edit.view_range }));
    case 'str_replace': {
      const times = text.split(edit.old_str).length - 1;
      if (times !== 1) return told(`old_str occurs ${times} times in ${path}; it has to occur exactly once.`);
      return wrote({ path, text: text.replace(edit.old_str, () => edit.new_str) });
    }
    case 'insert': {
      const lines = text.split('\n');
      if (edit.insert_line > lines.length) return told(`${path} has ${lines.length} lines.`);
      return wrote({ path, text: lines.toSpliced(edit.insert_line, 0, ...edit.new_str.split('\n')).join('\n') });
    }
  }
}

const told = (text: string): Edited => ({ text, written: null });

const wrote = (written: { path: string; text: string }): Edited => ({ text: `${written.path} is written.`, written });

/** Relative to the repository's root, which is the empty path; null outside of it. */
function relativePath({ path, root }: { path: string; root: string }): string | null {
  const inside = path === root ? '' : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  const plain = inside
    .replace(/^(\.\/)+/, '')
    .replace(/^\.$/, '')
    .replace(/\/+$/, '');
  return plain !== '' && leavesRepository(plain) ? null : plain;
}

async function listBelow({
  services,
  instance,
  files,
  folder,
}: {
  services: Services;
  instance: InstanceSpec;
  files: Readonly<Record<string, ArtifactRef>>;
  folder: string;
}): Promise<string | null> {
  const scratch = await openRepository({ services, instance });
  const inBase = (await listTree({ scratch, treeId: instance.repository.treeId })).map(({ path }) => path);
  const all = [...new Set([...inBase, ...Object.keys(files)])].sort();
  const below = all.filter((path) => folder === '' || path.startsWith(`${folder}/`));
  if (below.length === 0) return null;
  const more = below.length > FILES_AT_MOST ? [`… ${below.length - FILES_AT_MOST} more`] : [];
  return [...below.slice(0, FILES_AT_MOST), ...more].join('\n');
}

function numbered({ text, range }: { text: string; range?: readonly number[] | undefined }): string {
  const lines = text.split('\n');
  const [first = 1, last = -1] = range ?? [];
  const end = last === -1 ? lines.length : last;
  const shown = lines.slice(Math.max(0, first - 1), end).map((line, at) => `${Math.max(1, first) + at}\t${line}`);
  const whole = shown.join('\n');
  return whole.length > VIEW_CHARS ? `${whole.slice(0, VIEW_CHARS)}\n[cut; view a range of lines]` : whole;
}
