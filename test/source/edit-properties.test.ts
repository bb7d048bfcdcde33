import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../src/source/apply-edit.js';
import { applyOperation } from '../../src/source/edit.js';
import { findSyntaxError } from '../../src/source/parser.js';
import { indexTests } from '../../src/source/test-index.js';
import { functionSource, isPureInsertion, pythonFile } from './python-files.js';

const RUNS = { numRuns: 80 };
const file = 'tests/test_x.py';

/** A generated function's source as it must stand in the generated file. */
function asPlaced({
  source,
  indent,
  unit,
  lineBreak,
}: {
  source: string;
  indent: string;
  unit: string;
  lineBreak: string;
}) {
  let inString = false;
  const lines = source.split('\n').map((line) => {
    const isInside = inString;
    if ((line.split('"""').length - 1) % 2 === 1) inString = !inString;
    if (isInside || line === '') return line;
    const spaces = unit === '\t' ? (/^ */.exec(line)?.[0].length ?? 0) : 0;
    const tabs = Math.floor(spaces / 4);
    return indent + '\t'.repeat(tabs) + line.slice(tabs * 4);
  });
  return lines.join(lineBreak);
}

describe('edits of generated files', () => {
  it('finds exactly the generated definitions, with their lines', async () => {
    await fc.assert(
      fc.asyncProperty(pythonFile, async ({ text, chunks, lineBreak }) => {
        expect(await findSyntaxError(text)).toBeNull();
        const lines = text.replace(/^\uFEFF/, '').split(lineBreak);
        const found = (await indexTests({ file, text })).filter(({ kind }) => kind !== 'class');
        const texts = found.map(({ name, startLine, endLine }) => ({
          name,
          text: lines.slice(startLine - 1, endLine).join(lineBreak),
        }));
        expect(texts).toEqual(chunks.map(({ name, text: own }) => ({ name, text: own })));
      }),
      RUNS,
    );
  });

  it('replaces a definition and nothing else, and back again', async () => {
    await fc.assert(
      fc.asyncProperty(pythonFile, fc.nat(), fc.nat(1000), async (generated, pick, seed) => {
        const { text, chunks, unit, lineBreak } = generated;
        const chunk = chunks[pick % chunks.length];
        if (chunk === undefined) return;
        const inClass = chunk.name.includes('::');
        const source = functionSource({ name: chunk.name.split('::').at(-1) ?? '', inClass, seed });
        const update = (body: string) =>
          ({ op: 'update', file, test: chunk.name, source: body, staleBecause: '' }) as const;
        const updated = await applyOperation({ text, operation: update(source) });
        if (updated.kind === 'refused') throw new Error(updated.reason);
        // The name of a test at module level may be a method's too; the text before the chunk tells them apart.
        const start = startOf({ text, chunk: chunk.text, header: chunk.name, chunks });
        const placed = asPlaced({ source, indent: chunk.indent, unit, lineBreak });
        expect(updated.text).toBe(text.slice(0, start) + placed + text.slice(start + chunk.text.length));
        expect(updated.removedSource).toBe(chunk.text);
        const back = await applyOperation({ text: updated.text, operation: update(updated.removedSource ?? '') });
        expect(back).toMatchObject({ kind: 'applied', text });
      }),
      RUNS,
    );
  });

  it('changes not a byte when a definition is replaced by itself', async () => {
    await fc.assert(
      fc.asyncProperty(pythonFile, fc.nat(), async ({ text }, pick) => {
        const functions = (await indexTests({ file, text })).filter(({ kind }) => kind !== 'class');
        const one = functions[pick % functions.length];
        if (one === undefined) return;
        const operation = { op: 'update', file, test: one.name, source: one.source, staleBecause: '' } as const;
        expect(await applyOperation({ text, operation })).toMatchObject({ kind: 'applied', text });
      }),
      RUNS,
    );
  });

  it('inserts and leaves all else, and deleting undoes it', async () => {
    await fc.assert(
      fc.asyncProperty(pythonFile, fc.nat(), fc.nat(1000), async ({ text, classes }, pick, seed) => {
        const className = [undefined, ...classes][pick % (classes.length + 1)];
        const source = functionSource({ name: 'test_new', inClass: className !== undefined, seed });
        const created = await applyOperation({
          text,
          operation: { op: 'create', file, className, name: 'test_new', source },
        });
        if (created.kind === 'refused') throw new Error(created.reason);
        expect(isPureInsertion({ before: text, after: created.text })).toBe(true);
        const name = className === undefined ? 'test_new' : `${className}::test_new`;
        expect((await indexTests({ file, text: created.text })).filter((one) => one.name === name)).toHaveLength(1);
        expect(await findSyntaxError(created.text)).toBeNull();
        const undone = await applyOperation({
          text: created.text,
          operation: { op: 'delete', file, test: name, obsoleteBecause: '' },
        });
        expect(undone).toMatchObject({ kind: 'applied', text });
      }),
      RUNS,
    );
  });

  it('keeps every other definition through a sequence of operations', async () => {
    const step = fc.record({ op: fc.constantFrom('create', 'update', 'delete'), pick: fc.nat(), seed: fc.nat(1000) });
    await fc.assert(
      fc.asyncProperty(
        pythonFile,
        fc.array(step, { minLength: 1, maxLength: 6 }),
        async ({ text, chunks, classes }, steps) => {
          const touched = new Set<string>();
          const alive = chunks.map(({ name }) => name);
          const operations = steps.map(({ op, pick, seed }, index) => {
            const target = alive[pick % Math.max(1, alive.length)];
            if (op === 'create' || target === undefined) {
              const className = [undefined, ...classes][pick % (classes.length + 1)];
              const name = `test_new_${index}`;
              alive.push(className === undefined ? name : `${className}::${name}`);
              const source = functionSource({ name, inClass: className !== undefined, seed });
              return {
                op: 'create' as const,
                file,
                className,
                name,
                source,
                imports: ['import os', `from a import n${index}`],
              };
            }
            touched.add(target);
            if (op === 'delete') {
              alive.splice(alive.indexOf(target), 1);
              return { op: 'delete' as const, file, test: target, obsoleteBecause: '' };
            }
            const [name = '', owner] = target.split('::').reverse();
            const source = functionSource({ name, inClass: owner !== undefined, seed });
            return {
              op: 'update' as const,
              file,
              test: target,
              source: `${source}\n    # step ${index}`,
              staleBecause: '',
            };
          });
          const result = await applyEdit({ files: new Map([[file, text]]), operations });
          if (result.kind === 'refused') throw new Error(`${result.index}: ${result.reason}`);
          const after = result.files.get(file) ?? '';
          expect(await findSyntaxError(after)).toBeNull();
          const names = (await indexTests({ file, text: after }))
            .filter(({ kind }) => kind !== 'class')
            .map(({ name }) => name);
          expect([...names].sort()).toEqual([...alive].sort());
          for (const chunk of chunks.filter(({ name }) => !touched.has(name))) {
            expect(after).toContain(chunk.text);
          }
        },
      ),
      RUNS,
    );
  });
});

/** Where a chunk starts: chunks may have equal texts, so they are searched in order. */
function startOf({
  text,
  chunk,
  header,
  chunks,
}: {
  text: string;
  chunk: string;
  header: string;
  chunks: readonly { readonly name: string; readonly text: string }[];
}): number {
  let from = 0;
  for (const one of chunks) {
    const at = text.indexOf(one.text, from);
    if (one.name === header && one.text === chunk) return at;
    from = at + one.text.length;
  }
  return -1;
}
