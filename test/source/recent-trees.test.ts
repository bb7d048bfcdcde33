import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PythonNode } from '../../src/source/parser.js';
import { loadPython, parsePython } from '../../src/source/parser.js';
import { pythonFile } from './python-files.js';

/** Every node with its range, in order. */
function shapeOf(root: PythonNode): string[] {
  const shape: string[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { row, column } = node.startPosition;
    shape.push(`${node.type} ${node.startIndex}-${node.endIndex} ${row}:${column} ${node.isMissing} ${node.hasError}`);
    open.push(...node.children);
  }
  return shape;
}

async function freshShape(text: string): Promise<string[]> {
  const { root, dispose } = await parsePython(text);
  try {
    return shapeOf(root);
  } finally {
    dispose();
  }
}

/** Texts that are long enough to be remembered. */
const longText = fc
  .array(pythonFile, { minLength: 3, maxLength: 4 })
  .map((files) => files.map(({ text }) => text.replace(/^\uFEFF/, '')).join('\n\n'))
  .map((text) => text.repeat(Math.ceil(6000 / text.length)));

const piece = fc.constantFrom(
  ...['', 'x', '\n', '\r\n', '    ', '\t', '"""', "'", '(', ')', '#', '\\', ':', 'def f():\n    pass\n', '😀'],
  ...['\n\n\ndef test_new():\n    """D.\n\n    More."""\n    assert [\n        1,\n    ]\n', 'if x:\n', 'class A:\n'],
);

describe('a tree built on one of before', () => {
  it('is the tree of a parser without a memory, whatever changes', async () => {
    const python = await loadPython();
    const change = fc.record({ at: fc.nat(), length: fc.nat(60), text: piece });
    await fc.assert(
      fc.asyncProperty(longText, fc.array(change, { minLength: 1, maxLength: 4 }), async (text, changes) => {
        let now = text;
        python({ text, use: (root) => root.type });
        for (const { at, length, text: put } of changes) {
          const start = at % now.length;
          now = now.slice(0, start) + put + now.slice(start + length);
          expect(python({ text: now, use: shapeOf })).toEqual(await freshShape(now));
        }
      }),
      { numRuns: 30 },
    );
  }, 30_000);

  it.each([
    ['\n', 'x = 1\n'],
    ['', '\n'],
    ['\n\n', '\n'],
    ['#\n', '"""\n'],
  ])('is right where the first line changes from %j to %j', async (old, now) => {
    const python = await loadPython();
    const rest = 'def f():\n    """D"""\n'.repeat(400);
    python({ text: old + rest, use: (root) => root.type });
    expect(python({ text: now + rest, use: shapeOf })).toEqual(await freshShape(now + rest));
  });

  it('stays while it is in use, however many others are read meanwhile', async () => {
    const python = await loadPython();
    const text = (name: string) => `def ${name}():\n    pass\n`.repeat(400);
    const answer = python({
      text: text('outer'),
      use: (root) => {
        for (let index = 0; index < 12; index += 1) {
          python({ text: text(`inner_${'x'.repeat(index)}`), use: (inner) => inner.childCount });
        }
        return root.namedChildren[399]?.childForFieldName('name')?.text;
      },
    });
    expect(answer).toBe('outer');
  });

  it('is freed when its reader throws', async () => {
    const python = await loadPython();
    const text = 'x = 1\n'.repeat(1000);
    const fail = () =>
      python({
        text,
        use: () => {
          throw new Error('no');
        },
      });
    expect(fail).toThrow('no');
    expect(python({ text, use: (root) => root.childCount })).toBe(1000);
  });
});
