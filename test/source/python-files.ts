import fc from 'fast-check';

/** A generated definition, as its lines stand in the file (line breaks included, the last one not). */
export interface Chunk {
  /** `Class::test` or `test`. */
  readonly name: string;
  readonly indent: string;
  readonly text: string;
}

/** A generated test file and the definitions in it, in order. */
export interface PythonFile {
  readonly text: string;
  readonly chunks: readonly Chunk[];
  readonly classes: readonly string[];
  readonly lineBreak: string;
  readonly unit: string;
}

interface Style {
  readonly lineBreak: string;
  readonly unit: string;
  readonly bom: boolean;
  readonly finalBreak: boolean;
}

const style: fc.Arbitrary<Style> = fc.record({
  lineBreak: fc.constantFrom('\n', '\r\n'),
  unit: fc.constantFrom('    ', '  ', '\t'),
  bom: fc.boolean(),
  finalBreak: fc.boolean(),
});

/** Lines of a body, to be indented by one unit; those that start with `|` are the inside of a string. */
const bodies: readonly (readonly string[])[] = [
  ['pass'],
  ['assert f(1) == 2  # because'],
  ['"""One line."""', '', 'x = f(', '>1,', ')', 'assert x'],
  [
    '"""Several',
    '|lines  ',
    '|  of "text"',
    '|',
    '|def test_not_me(): pass',
    '|"""',
    'value = """a',
    '|b"""',
    'assert value',
  ],
  [
    '# a comment first',
    'for x in range(3):',
    '>if x:',
    '>>assert x  # deep',
    '>else:',
    '>>continue',
    '# a comment last',
  ],
  ['x = [1,', '   2]', '', '# between', '', 'assert x, "ü€😀"'],
  ['with raises(ValueError) as error:', ">f('it\\'s')", 'assert "x" in str(error)'],
  ['def inner(a):', '>return a + 1', '', 'assert inner(1) == 2 \\', '>and True'],
];

const decorators = [[], ['@mark'], ['@parametrize("x", [', '>1,', '])'], ['@a.b("(")  # why', '@c']] as const;

function render({ lines, indent, unit }: { lines: readonly string[]; indent: string; unit: string }): string[] {
  return lines.map((line) => {
    if (line === '') return '';
    if (line.startsWith('|')) return line.slice(1);
    const depth = /^>*/.exec(line)?.[0].length ?? 0;
    return indent + unit.repeat(depth) + line.slice(depth);
  });
}

/** The lines of a function without indentation, in 4-space style. */
const functionLines = ({ name, inClass, seed }: { name: string; inClass: boolean; seed: number }): string[] => {
  const def = seed % 5 === 0 ? 'async def' : 'def';
  const head = [...(decorators[seed % decorators.length] ?? []), `${def} ${name}(${inClass ? 'self' : ''}):`];
  const body = bodies[Math.floor(seed / decorators.length) % bodies.length] ?? ['pass'];
  return [...head, ...body.map((line) => (line === '' || line.startsWith('|') ? line : `>${line}`))];
};

/** A function's source as an operation gives it. */
export const functionSource = (input: { name: string; inClass: boolean; seed: number }): string =>
  render({ lines: functionLines(input), indent: '', unit: '    ' }).join('\n');

const seeds = fc.nat(1000);
const between = fc.constantFrom([], ['# section', ''], ['# about the next one'], ['VALUE = 1', ''], ['  ']);

const guards = fc.constantFrom(
  [['if flag:'], []],
  [['try:', '>import os', 'except ImportError:'], []],
  [['if flag:'], ['else:', '>VALUE = 2']],
  [
    ['with suppress(OSError):', '>VALUE = 3', ''],
    ['', '# behind'],
  ],
) as fc.Arbitrary<readonly [readonly string[], readonly string[]]>;

const item = fc.oneof(
  fc.record({ kind: fc.constant('function' as const), seed: seeds, before: between }),
  fc.record({
    kind: fc.constant('class' as const),
    bases: fc.constantFrom('', '(TestCase)', '()'),
    doc: fc.boolean(),
    inner: fc.option(seeds),
    methods: fc.array(seeds, { minLength: 1, maxLength: 4 }),
    before: between,
  }),
  fc.record({ kind: fc.constant('guarded' as const), seed: seeds, guard: guards, before: between }),
);

const heads = fc.constantFrom(
  [],
  ['"""Docstring."""', ''],
  ['#!/usr/bin/env python', '# licence', '', 'import os', 'from a import b', ''],
  ['from __future__ import annotations', '', 'from a import (', '    b,', '    c,  # used', ')', ''],
);

/** Test files in all styles: line breaks, indentation, byte order mark, missing final line break, comments, scripts. */
export const pythonFile: fc.Arbitrary<PythonFile> = fc
  .record({
    style,
    head: heads,
    items: fc.array(item, { minLength: 1, maxLength: 5 }),
    script: fc.boolean(),
    trailing: fc.constantFrom([], ['', ''], ['# the end']),
  })
  .map(({ style: { lineBreak, unit, bom, finalBreak }, head, items, script, trailing }) => {
    const lines: string[] = [...head];
    const chunks: Chunk[] = [];
    const classes: string[] = [];
    const add = ({ name, path, indent, seed }: { name: string; path: string; indent: string; seed: number }) => {
      const own = render({ lines: functionLines({ name, inClass: path !== name, seed }), indent, unit });
      chunks.push({ name: path, indent, text: own.join(lineBreak) });
      lines.push(...own);
    };
    items.forEach((one, index) => {
      lines.push('', ...one.before, '');
      if (one.kind === 'function') {
        add({ name: `test_${index}`, path: `test_${index}`, indent: '', seed: one.seed });
        return;
      }
      if (one.kind === 'guarded') {
        const [above, below] = one.guard;
        lines.push(...render({ lines: above, indent: '', unit }));
        add({ name: `test_${index}`, path: `test_${index}`, indent: unit, seed: one.seed });
        lines.push(...render({ lines: below, indent: '', unit }));
        return;
      }
      const className = `Test${index}`;
      classes.push(className);
      lines.push(`class ${className}${one.bases}:`, ...(one.doc ? [`${unit}"""Doc."""`, ''] : []));
      one.methods.forEach((seed, at) => {
        add({ name: `test_${at}`, path: `${className}::test_${at}`, indent: unit, seed });
        if (at + 1 < one.methods.length) lines.push('');
      });
      if (one.inner === null) return;
      classes.push(`${className}::Inner`);
      lines.push('', `${unit}class Inner:`);
      const path = `${className}::Inner::test_0`;
      add({ name: 'test_0', path, indent: unit + unit, seed: one.inner });
    });
    if (script) lines.push('', '', "if __name__ == '__main__':", `${unit}main()`);
    lines.push(...trailing);
    const text = (bom ? '\uFEFF' : '') + lines.join(lineBreak) + (finalBreak ? lineBreak : '');
    return { text, chunks, classes, lineBreak, unit };
  });

/** True when one text is the other with one run of characters put in. */
export const isPureInsertion = ({ before, after }: { before: string; after: string }): boolean => {
  let prefix = 0;
  while (prefix < before.length && before[prefix] === after[prefix]) prefix += 1;
  const rest = before.length - prefix;
  return after.length >= before.length && after.endsWith(before.slice(before.length - rest));
};
