import { describe, expect, it } from 'vitest';
import { findSyntaxError, loadPython, parsePython } from '../../src/source/parser.js';

describe('findSyntaxError', () => {
  it.each([
    ['x = 1\n'],
    [''],
    ['\uFEFFx = 1\n'],
    ['\fclass A:\n    pass\n'],
    ['if x: a; b\nc\n'],
    ['def f():\n\tif x:\n\t\ty\n        # odd comment\n\tz\n'],
    ['match x:\n    case {"a": y}: pass\n'],
    ['x = f"{a!r:>{w}}"\n'],
  ])('lets %j pass', async (text) => {
    expect(await findSyntaxError(text)).toBeNull();
  });

  it('names line, column and text', async () => {
    expect(await findSyntaxError('a = 1\ndef f(:\n    pass\n')).toEqual({ line: 2, column: 7, excerpt: 'def f(:' });
  });

  it.each([
    ['an empty body', 'x = 1\ndef f():\n', 2],
    ['a body of comments', 'def f():\n    # later\n', 1],
    ['an unexpected indent', 'def f():\n    x\n      y\n', 3],
    ['an indented top level', 'x = 1\n    y = 2\n', 2],
    ['an open bracket', 'foo(1,\n\ndef g(): pass\n', 3],
    ['an open string', 'x = """abc\n', 1],
  ])('finds %s', async (_, text, line) => {
    expect((await findSyntaxError(text))?.line).toBe(line);
  });
});

describe('parsing', () => {
  it('counts offsets in UTF-16 units behind emoji, CRLF and a byte order mark', async () => {
    const text = '\uFEFFs = "😀"\r\ndef f(): pass\r\n';
    const tree = await parsePython(text);
    const node = tree.root.namedChildren[1];
    expect(text.slice(node?.startIndex, node?.endIndex)).toBe('def f(): pass');
    tree.dispose();
  });

  it('goes on after its user threw', async () => {
    const python = await loadPython();
    const fail = () => {
      throw new Error('mine');
    };
    expect(() => python({ text: 'x = 1', use: fail })).toThrow('mine');
    expect(python({ text: 'y', use: (root) => root.text })).toBe('y');
  });
});
