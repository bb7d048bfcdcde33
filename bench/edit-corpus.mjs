// `node bench/edit-corpus.mjs DIR…`: edits every Python test file below each folder in memory, and prints totals, every
// refusal by its reason, and every failure. Nothing is written. Exit code 1 when something failed.
import { readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import '../test/support/ts-source.mjs';
import { testFilesBelow } from './support/python-files.mjs';

const { isTestPath } = await import('../src/core/test-paths.ts');
const { decodeSource, encodeSource } = await import('../src/source/encoding.ts');
const { applyOperation } = await import('../src/source/edit.ts');
const { rowsOf } = await import('../src/source/edit-rows.ts');
const { outlineOf } = await import('../src/source/outline.ts');
const { indexTests } = await import('../src/source/test-index.ts');
const { findSyntaxError, loadPython, parsePython } = await import('../src/source/parser.ts');

const NAME = 'test_of_the_corpus_run';
const BODY = '"""A line.\n\n    More."""\n    assert [\n        1,\n    ] == [1]';
const COUNTS = ['files', 'unreadable', 'unparsed', 'definitions', 'creates', 'updates', 'deletes', 'rows', 'refused'];
/** Rows of one file that are looked at, at most. */
const MAX_ROWS = 20;

const python = await loadPython();
const refusals = new Map();

/** Runs all checks on one file; throws with what went wrong. */
async function check({ file, bytes, totals }) {
  totals.files += 1;
  const decoded = decodeSource({ bytes });
  if (decoded.kind === 'refused') {
    totals.unreadable += 1;
    note({ key: decoded.reason, where: file });
    return;
  }
  same({ what: 'decoding and encoding', before: bytes, after: encodeSource(decoded) });
  const { text } = decoded;
  const parses = (await findSyntaxError(text)) === null;
  if (!parses) totals.unparsed += 1;
  const definitions = await indexTests({ file, text });
  totals.definitions += definitions.length;
  const run = async ({ from = text, operation }) => {
    const result = await applyOperation({ text: from, operation: { file, ...operation } });
    if (result.kind === 'applied') return result;
    totals.refused += 1;
    note({ key: `${operation.op}: ${result.reason}`, where: `${file}::${operation.test ?? operation.name}` });
    return null;
  };

  const classes = definitions.filter(({ kind, isTest }) => kind === 'class' && isTest);
  for (const className of new Set([undefined, classes[0]?.name, classes.at(-1)?.name])) {
    const source = `def ${NAME}(${className === undefined ? '' : 'self'}):\n    ${BODY}`;
    const created = await run({ operation: { op: 'create', className, name: NAME, source } });
    if (created === null) continue;
    totals.creates += 1;
    await builtOnIsSame(created.text);
    if (parses && (await findSyntaxError(created.text)) !== null) throw new Error(`create in ${className}: no Python`);
    const test = className === undefined ? NAME : `${className}::${NAME}`;
    const undone = await run({ from: created.text, operation: { op: 'delete', test, obsoleteBecause: '' } });
    if (undone !== null) same({ what: `create ${test}, then delete`, before: text, after: undone.text });
  }

  // Of equal names the last one counts.
  const lasting = [...new Map(definitions.map((definition) => [definition.name, definition])).values()];
  for (const { name, source } of sample(lasting)) {
    const updated = await run({ operation: { op: 'update', test: name, source, staleBecause: '' } });
    if (updated === null) continue;
    totals.updates += 1;
    same({ what: `update ${name} by itself`, before: text, after: updated.text });
  }

  for (const { name } of sample(definitions.filter(({ kind }) => kind !== 'class'))) {
    const deleted = await run({ operation: { op: 'delete', test: name, obsoleteBecause: '' } });
    if (deleted === null) continue;
    totals.deletes += 1;
    if (parses && (await findSyntaxError(deleted.text)) !== null) throw new Error(`delete ${name}: no Python`);
    same({ what: `delete ${name} and undo`, before: text, after: undone({ text, deleted }) });
  }
  await checkRows({ text, run, totals });
}

/** Each row of a parametrisation that is written out, replaced by itself. */
async function checkRows({ text, run, totals }) {
  const outline = python({ text, use: (root) => outlineOf({ root, text }) });
  const tables = outline.definitions
    .filter(({ type, decorators }) => type === 'function' && decorators.some((one) => /\bparametrize\(/.test(one)))
    .map((definition) => ({ definition, read: rowsOf({ python, outline, definition }) }));
  const rows = tables.flatMap(({ definition, read }) =>
    read.kind === 'refused' ? [] : read.rows.map((row) => ({ name: definition.path, row })),
  );
  for (const { name, row } of rows.slice(0, MAX_ROWS)) {
    const updated = await run({
      operation: { op: 'update', test: `${name}[${row.text}]`, source: row.text, staleBecause: '' },
    });
    if (updated === null) continue;
    totals.rows += 1;
    const squeeze = (all) => all.replace(/\s+/g, '');
    // A row of several lines comes out at the indentation of its line.
    same({ what: `row of ${name} by itself`, before: squeeze(text), after: squeeze(updated.text) });
  }
}

/**
 * The text before a delete, made of what it left and of what it says that it removed: that stood in one place, with
 * blank lines around it and nothing else.
 */
function undone({ text, deleted }) {
  const { text: left, removedSource } = deleted;
  for (let at = text.indexOf(removedSource); at >= 0; at = text.indexOf(removedSource, at + 1)) {
    const end = at + removedSource.length;
    const indent = /^[ \t]*/.exec(removedSource)[0];
    if (left === `${text.slice(0, at)}${indent}pass${text.slice(end)}`) return text;
    const before = /\s*$/.exec(text.slice(0, at))[0];
    const behind = /^\s*/.exec(text.slice(end))[0];
    const head = text.slice(0, at - before.length);
    const tail = text.slice(end + behind.length);
    const gap = left.slice(head.length, left.length - tail.length);
    if (left === head + gap + tail && gap.trim() === '') return head + before + removedSource + behind + tail;
  }
  throw new Error('a delete changed something else than it says');
}

/** A tree that was built on an older one equals a fresh one. */
async function builtOnIsSame(text) {
  const built = python({ text, use: (root) => root.toString() });
  const fresh = await parsePython(text);
  const isSame = fresh.root.toString() === built;
  fresh.dispose();
  if (!isSame) throw new Error('the tree that was built on an older one differs from a fresh one');
}

/** The first, the middle and the last one. */
const sample = (all) => [...new Set([all[0], all[all.length >> 1], all.at(-1)])].filter((one) => one !== undefined);

function same({ what, before, after }) {
  const equal = typeof before === 'string' ? before === after : Buffer.compare(before, after) === 0;
  if (!equal) throw new Error(`${what}: the bytes differ`);
}

function note({ key, where }) {
  const reason = key.replace(/`[^`]*`|\d+/g, '…');
  refusals.set(reason, [...(refusals.get(reason) ?? []), where]);
}

const dirs = process.argv.slice(2);
if (dirs.length === 0) {
  console.error('Usage: node bench/edit-corpus.mjs DIR…');
  process.exit(2);
}
const failures = [];
for (const dir of dirs) {
  const project = basename(resolve(dir));
  const totals = Object.fromEntries(COUNTS.map((name) => [name, 0]));
  for (const file of await testFilesBelow({ dir, isTestPath })) {
    try {
      await check({ file, bytes: new Uint8Array(await readFile(join(dir, file))), totals });
    } catch (error) {
      failures.push(`${project}/${file}: ${error.message}`);
    }
  }
  console.log(`${project}: ${COUNTS.map((name) => `${totals[name]} ${name}`).join(', ')}`);
}
for (const [reason, where] of refusals)
  console.log(`refused ${where.length} times: ${reason} (${where.slice(0, 3).join(', ')})`);
for (const failure of failures) console.log(`FAILED ${failure}`);
console.log(failures.length === 0 ? 'No failure.' : `${failures.length} failures.`);
process.exitCode = failures.length === 0 ? 0 : 1;
