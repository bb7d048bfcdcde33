import { describe, expect, it } from 'vitest';
import { patchKey, scriptKeys } from '../../../src/methods/agentless/keys.js';
import type { RunNormaliser } from '../../../src/methods/agentless/normaliser.js';
import { withoutPython, withPython } from '../scripted.js';

const OLD = `def total(items):
    result = 0
    for item in items:
        result += item
    return result
`;

const keyOf = async (text: string, { old = OLD, path = 'src/total.py', run = withPython as RunNormaliser } = {}) =>
  (await patchKey({ files: [{ path, old, new: text }], run })).key;

describe('the key of a patch', () => {
  const fixed = OLD.replace('result = 0', 'result = 1');

  it('does not see comments, docstrings, blank lines, parentheses, spacing, quotes or wrapping', async () => {
    const quoted = OLD.replace('return result', "return {'a': result}");
    const [key, single, double, ...same] = await Promise.all([
      keyOf(fixed),
      keyOf(quoted),
      keyOf(quoted.replaceAll("'", '"')),
      ...[
        fixed.replace('result = 1', 'result = 1  # why'),
        fixed.replace('    result = 1', '    # why\n\n    """Sums."""\n    result = 1'),
        fixed.replace('def total(items):\n', 'def total(items):\n    """Sums\n\n    items."""\n'),
        fixed.replace('result = 1', 'result   =   (1)'),
        fixed.replace('result += item', 'result += (\n            item\n        )'),
        fixed.replaceAll('\n', '\n\n'),
      ].map((text) => keyOf(text)),
    ]);
    expect(key).toContain('+    result = 1');
    expect(same).toEqual(same.map(() => key));
    expect(double).toBe(single);
  });

  it('sees what is done, and in which file', async () => {
    const keys = await Promise.all([
      keyOf(fixed),
      keyOf(OLD.replace('result = 0', 'result = 2')),
      keyOf(fixed, { path: 'src/other.py' }),
    ]);
    expect(new Set(keys).size).toBe(3);
  });

  it('does not see the place of a new function inside of the file, but at its end', async () => {
    const added = 'def twice(x):\n    return 2 * x\n\n';
    const old = `${OLD}\n\ndef last():\n    return None\n`;
    const [top, middle, end, altered] = await Promise.all([
      keyOf(`${added}${old}`, { old }),
      keyOf(old.replace('def last', `${added}def last`), { old }),
      keyOf(`${old}\n${added}`, { old }),
      keyOf(`${added}${fixed}`),
    ]);
    expect(middle).toBe(top);
    expect(end).not.toBe(top);
    expect(top).toContain('+++ b/src/total.py');
    expect(top).not.toContain('@@');
    // With a function altered beside it the text around counts again.
    expect(altered).toContain('@@');
  });

  it('is empty for a change that means nothing, and for no change', async () => {
    expect(await keyOf(`# only a comment\n${OLD}`)).toBe('');
    expect((await patchKey({ files: [], run: withPython })).key).toBe('');
  });

  it('takes text that is no Python as it is, and keeps docstrings that a body cannot do without', async () => {
    const broken = 'def total(:\n    pass  # kept\n';
    const mere = 'class Gone(Exception):\n    """All there is."""\n';
    const [python, page, kept] = await Promise.all([
      keyOf(broken),
      keyOf('<a>\n</a>\n', { old: '<a/>\n', path: 'page.html' }),
      keyOf(`${OLD}\n\n${mere}`),
    ]);
    expect(python).toContain('+    pass  # kept');
    expect(page).toContain('+</a>');
    expect(kept).toContain('All there is.');
  });

  it('does without Python by collapsing white space, and says so', async () => {
    const run = withoutPython;
    const { key, normaliser } = await patchKey({ files: [{ path: 'a.py', old: OLD, new: fixed }], run });
    expect(normaliser).toBe('text');
    expect(await keyOf(fixed.replace('result = 1', 'result   =  1'), { path: 'a.py', run })).toBe(key);
    expect(await keyOf(fixed.replace('result = 1', 'result = 2'), { path: 'a.py', run })).not.toBe(key);
    expect(
      (await patchKey({ files: [{ path: 'a.py', old: OLD, new: fixed }], run: async () => '{"files":[]}' })).normaliser,
    ).toBe('text');
  });
});

describe('the key of a reproduction test', () => {
  const script = (name: string, comment: string) =>
    `def ${name}():\n    """Docs."""\n    ${comment}\n    print('Issue reproduced')\n\n${name}()`;

  it('does not see the test’s name, its comments or its docstring', async () => {
    const scripts = [script('test_a', '# one'), script('test_other', '# two'), script('test_a', 'x = 1')];
    const { keys, normaliser } = await scriptKeys({ scripts, run: withPython });
    expect(normaliser).toBe('ast');
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys[0]).toContain('def test_function()');
  });

  it('copes with a script that calls nothing last, or is no Python', async () => {
    const { keys } = await scriptKeys({ scripts: ['x = 1', '(', 'print "x"'], run: withPython });
    expect(keys).toEqual(['x = 1', '(', 'print "x"']);
  });
});
